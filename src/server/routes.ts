// Which handler answers which path: what is no resource by its path, resources by the server that has them.
import type { CustomResources } from "../apiextensions/mod.ts";
import { createDiscovery } from "../endpoints/discovery/mod.ts";
import type { RequestHandlerContext } from "../endpoints/env.ts";
import { handleOpenApi } from "../endpoints/openapi.ts";
import { handleDocument, type ServedDocument } from "../endpoints/routes/documents.ts";
import { handleHealth, type HealthCheck, healthPaths } from "../endpoints/routes/health.ts";
import { handleIndex, respondPageNotFound } from "../endpoints/routes/index.ts";
import { handleMetrics } from "../endpoints/routes/metrics.ts";
import { handleVersion } from "../endpoints/routes/version.ts";
import { later } from "../later.ts";
import { logInfo } from "../logging/mod.ts";
import type { Metrics } from "../metrics/mod.ts";
import type { ResourceProvider } from "../registry/resource.ts";
import type { DelegationTarget } from "./delegation.ts";
import type { ChainHandler } from "./filters/filter.ts";

export interface Routes {
  servers: readonly DelegationTarget[];
  providers: readonly ResourceProvider[];
  /** Undefined when there can be no CustomResourceDefinitions. */
  extensions?: { resources: CustomResources };
  metrics: Metrics;
  healthChecks: readonly HealthCheck[];
  documents: readonly ServedDocument[];
  externalAddress: string;
}

/** What is no resource first, by its path; then each server in turn. */
export function routesOf(
  { servers, providers, extensions, metrics, healthChecks, documents, externalAddress }: Routes,
): ChainHandler {
  const discovery = createDiscovery({ providers: () => providers, serverAddress: () => externalAddress });
  const openApi = later(async () => {
    const { createDocuments } = await import("../machinery/openapi/source.ts");
    const documents = createDocuments(() => extensions?.resources.definitions() ?? []);
    return () => documents;
  });
  // Whoever waits for a server to get ready asks many times, and is told no until it is.
  const health = (c: RequestHandlerContext) =>
    handleHealth(c, healthChecks, (endpoint, check, error) => {
      logInfo(`${endpoint} check failed`, { check, err: error instanceof Error ? error.message : String(error) }, 2);
    });
  const paths = () => [
    ...servers.flatMap((s) => s.listedPaths()),
    ...healthPaths(healthChecks),
    ...documents.map(({ path }) => path),
    "/api",
    "/apis",
    "/apis/",
    "/metrics",
    "/openapi/v2",
    "/openapi/v3",
    "/version",
  ];
  const answerPath = async (c: RequestHandlerContext): Promise<Response> =>
    await discovery(c) ?? await health(c) ?? await handleVersion(c) ??
      await handleOpenApi(c, openApi) ?? handleIndex(c, paths()) ?? await handleMetrics(c, metrics) ??
      await handleDocument(c, documents) ?? respondPageNotFound(c);
  return (c: RequestHandlerContext): Response | Promise<Response> => {
    if (!c.get("requestInfo").isResourceRequest) return answerPath(c);
    for (const server of servers) {
      const answer = server.handle(c);
      if (answer !== undefined) return answer;
    }
    return respondPageNotFound(c);
  };
}
