import assert from "node:assert/strict";
import { parseRequestInfo } from "./request_info.ts";
import { RequestUrl } from "./request_url.ts";

function parse(method: string, path: string) {
  const { verb, apiGroup, apiVersion, namespace, resource, name, subresource, isResourceRequest } = parseRequestInfo(
    method,
    new RequestUrl(path),
  );
  return isResourceRequest ? [verb, apiGroup, apiVersion, namespace, resource, name, subresource] : verb;
}

Deno.test("paths and methods say what a request is about", () => {
  const cases: [string, string, unknown][] = [
    ["GET", "/api/v1/namespaces/n/pods/p/log", ["get", "", "v1", "n", "pods", "p", "log"]],
    ["GET", "/api/v1/namespaces/n/pods", ["list", "", "v1", "n", "pods", "", ""]],
    ["GET", "/apis/apps/v1/deployments?watch=1", ["watch", "apps", "v1", "", "deployments", "", ""]],
    ["GET", "/api/v1/watch/namespaces/n/pods/p", ["watch", "", "v1", "n", "pods", "p", ""]],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Dx", ["list", "", "v1", "", "pods", "x", ""]],
    ["DELETE", "/api/v1/namespaces/n/pods", ["deletecollection", "", "v1", "n", "pods", "", ""]],
    ["PUT", "/api/v1/namespaces/n/finalize", ["update", "", "v1", "n", "namespaces", "n", "finalize"]],
    ["GET", "/api/v1/namespaces/n", ["get", "", "v1", "n", "namespaces", "n", ""]],
    ["POST", "/api/v1/namespaces", ["create", "", "v1", "", "namespaces", "", ""]],
    ["DELETE", "/api/v1/namespaces/n/pods/..", ["delete", "", "v1", "n", "pods", "..", ""]],
    ["GET", "/api/v1/namespaces/n/pods/%2e%2e%2Flog", ["get", "", "v1", "n", "pods", "..", "log"]],
    ["GET", "/api/v1/namespaces/n/pods/a%ffb", ["get", "", "v1", "n", "pods", "a\ufffdb", ""]],
    ["constructor", "/api/v1/namespaces/n/pods/p", ["", "", "v1", "n", "pods", "p", ""]],
    ["GET", "/healthz", "get"],
    ["GET", "/apis/apps/v1", "get"],
    ["GET", "/api/v1", "get"],
  ];
  for (const [method, path, want] of cases) assert.deepEqual(parse(method, path), want, `${method} ${path}`);
});
