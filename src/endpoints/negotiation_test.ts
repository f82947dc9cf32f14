import assert from "node:assert/strict";
import {
  checkAcceptedByRoute,
  CUSTOM_RESOURCES,
  MEDIA_TYPES,
  negotiate,
  negotiateInput,
  parseAccept,
  PLAIN,
  PROTOBUF_TYPE,
  RESOURCES,
  wantsPretty,
} from "./negotiation.ts";

const META = "g=meta.k8s.io;v=v1";

Deno.test("clauses are ordered by how exact they are and by quality", () => {
  const order = parseAccept("*/*, application/json;q=0.5, text/html, application/*;q=0.5").map((c) =>
    `${c.type}/${c.subtype}`
  );
  assert.deepEqual(order, ["text/html", "application/json", "application/*", "*/*"]);
});

Deno.test("the first clause that can be served wins", () => {
  const chosen = (accept: string, restrictions = RESOURCES) => negotiate(accept, restrictions)?.mediaType;
  assert.equal(chosen(""), "application/json");
  assert.equal(chosen("application/yaml"), "application/yaml");
  assert.equal(chosen("text/html, application/yaml;q=0.5, application/json;q=0.9"), "application/json");
  assert.equal(chosen("application/vnd.kubernetes.protobuf,application/json"), PROTOBUF_TYPE);
  assert.equal(chosen("application/vnd.kubernetes.protobuf,application/json", CUSTOM_RESOURCES), "application/json");
  assert.equal(chosen("text/html"), undefined);
});

Deno.test("forms are offered where they can be made", () => {
  const form = (accept: string, restrictions = RESOURCES) => negotiate(accept, restrictions)?.convert?.kind;
  assert.equal(form(`application/json;as=Table;${META}`), "Table");
  assert.equal(form(`application/json;as=Chart;${META},application/json`), undefined);
  assert.equal(negotiate(`application/json;as=Table;${META}`, PLAIN), undefined);
  assert.equal(negotiate(`${PROTOBUF_TYPE};as=Table;${META}`, RESOURCES), undefined);
  assert.equal(form(`${PROTOBUF_TYPE};as=PartialObjectMetadata;${META}`, CUSTOM_RESOURCES), "PartialObjectMetadata");
  assert.equal(negotiate("application/json;as=Table", RESOURCES), undefined);
});

Deno.test("the router knows no application/*", () => {
  const check = (accept: string) => checkAcceptedByRoute(new Headers({ accept }), MEDIA_TYPES);
  check("*/*");
  check("application/json;stream=watch");
  assert.throws(() => check("application/*"), /^StatusError: 406: Not Acceptable\n\nAvailable representations: /);
});

Deno.test("bodies: parameters and letter case do not matter, other types are refused", () => {
  const input = (type: string) => negotiateInput(new Headers(type === "" ? {} : { "content-type": type }));
  assert.equal(input(""), "application/json");
  assert.equal(input("Application/YAML; charset=utf-8"), "application/yaml");
  for (const type of ["/json", "text/plain", "application/xml"]) assert.throws(() => input(type), { code: 415 });
});

Deno.test("people and those who ask get indented JSON", () => {
  const agent = (name: string) => new Headers({ "user-agent": name });
  assert.equal(wantsPretty(agent("curl/8"), ""), true);
  assert.equal(wantsPretty(agent("curl/8"), "?pretty=false"), false);
  assert.equal(wantsPretty(agent("kubectl"), "?pretty=1"), true);
  assert.equal(wantsPretty(agent("kubectl"), "?pretty=maybe"), false);
});
