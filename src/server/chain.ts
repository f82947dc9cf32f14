// createServerChain: the three servers behind one another, and everything that they share.
import type { Hono } from "hono";
import { CrdInformer } from "../apiextensions/crd_informer.ts";
import { CustomResources } from "../apiextensions/mod.ts";
import { registryLookup } from "../admission/plugins/lookup.ts";
import { controllerContext } from "../controllers/informer.ts";
import type { EndpointDependencies } from "../endpoints/dependencies.ts";
import type { Env } from "../endpoints/env.ts";
import { RequestMeasures } from "../endpoints/measures.ts";
import { recordVersion } from "../endpoints/routes/version.ts";
import type { ResourceProvider } from "../registry/resource.ts";
import { logError } from "../logging/mod.ts";
import { createMetrics, type Metrics } from "../metrics/mod.ts";
import { loadRe2 } from "../machinery/re2.ts";
import type { BuiltinResources } from "../registry/builtin.ts";
import { repairServiceAddresses } from "../registry/services/repair.ts";
import { type ResolveService, serviceResolver } from "../registry/services/resolve.ts";
import type { StorageFactory } from "../storage/mod.ts";
import { apiextensionsHooks } from "./apiextensions.ts";
import { type Access, createAccess } from "./access.ts";
import { createAdmission } from "./admission.ts";
import { bootstrapHooks } from "./bootstrap/mod.ts";
import type { ServerConfig } from "./config.ts";
import type { HealthCheck } from "../endpoints/routes/health.ts";
import type { DelegationTarget, PostStartHook, PreShutdownHook } from "./delegation.ts";
import { buildHandlerChain } from "./handler_chain.ts";
import { LoopbackClient } from "./loopback_client.ts";
import { baseChecks } from "./health.ts";
import { createResourceServer, groupsOf } from "./resource_server.ts";
import { createResources } from "./resources.ts";
import { routesOf } from "./routes.ts";
import { openStorage, storageReadinessHook } from "./storage.ts";

/** A server that is put together and not yet listening. */
export interface ServerChain {
  /** Answers requests: `app.fetch(request, connectionInfo)`. */
  app: Hono<Env>;
  postStartHooks: readonly PostStartHook[];
  preShutdownHooks: readonly PreShutdownHook[];
  storage: StorageFactory;
  resources: BuiltinResources;
  /** Everything served now, custom resources included. */
  providers(): readonly ResourceProvider[];
  /** Adds checks of the life cycle (`ping`, hooks, `shutdown`). */
  addHealthChecks(checks: readonly HealthCheck[]): void;
  metrics: Metrics;
}

export interface ServerChainOptions {
  /** The module that workers run: the program's own entry. */
  workerUrl: URL;
  /** Ends everything at once. */
  stopped: AbortSignal;
}

/** Opens storage. Throws an Error with one line that says what cannot be had. */
export async function createServerChain(config: ServerConfig, options: ServerChainOptions): Promise<ServerChain> {
  const { workerUrl, stopped } = options, { generic } = config;
  const metrics = createMetrics();
  recordVersion(metrics);
  const storage = await openStorage(generic.storage, { workerUrl, metrics });
  const loopbackToken = crypto.randomUUID();
  const client = new LoopbackClient((request, connection) => app.fetch(request, connection), { token: loopbackToken });
  const access = await createAccess(config, {
    client,
    loopbackToken,
    metrics,
    resources: () => resources,
    signal: stopped,
  });
  const resources: BuiltinResources = createResources(config, { access, storage, providers: () => providers, stopped });
  const resolveService = serviceResolver(resources.store("", "services"), controllerContext("webhooks", stopped));
  const extensions = createExtensions(resources, config, { storage, resolveService });
  const providers = extensions === undefined ? [resources] : [resources, extensions.resources];
  const parts = { access, client, metrics, resources, resolveService, providers, stopped };
  const dependencies = await createDependencies(config, parts);
  const servers = serversOf(resources, extensions, dependencies);
  const healthChecks = [...baseChecks(storage, generic.storage), ...servers.flatMap((s) => s.healthChecks)];
  if (generic.corsAllowedOrigins.length > 0) await loadRe2();
  const app = buildHandlerChain(
    {
      ...generic.limits,
      authenticator: access.authenticator,
      audiences: generic.authentication.audiences,
      authorizer: access.authorizer,
      metrics,
      corsAllowedOrigins: generic.corsAllowedOrigins,
      hstsDirectives: generic.hstsDirectives,
      stopped,
    },
    routesOf({
      servers,
      providers,
      extensions,
      metrics,
      healthChecks,
      documents: access.documents,
      externalAddress: generic.externalAddress,
    }),
  );
  return {
    app,
    metrics,
    storage,
    resources,
    providers: () => providers,
    addHealthChecks: (checks) => void healthChecks.push(...checks),
    ...hooksOf(config, { access, client, storage, resources, providers, extensions, servers }),
  };
}

interface DependencyParts {
  access: Access;
  client: LoopbackClient;
  metrics: Metrics;
  resources: BuiltinResources;
  resolveService: ResolveService;
  providers: readonly ResourceProvider[];
  stopped: AbortSignal;
}

/** What every endpoint needs. Throws an Error that says what of the admission configuration cannot be had. */
async function createDependencies(config: ServerConfig, parts: DependencyParts): Promise<EndpointDependencies> {
  const { access: { authorizer }, client, metrics, resources, resolveService, providers, stopped } = parts;
  const { limits } = config.generic;
  const requestContext = controllerContext("admission", stopped);
  const admission = await createAdmission(config, {
    lookup: registryLookup(resources, requestContext),
    client,
    authorizer,
    resolveService,
    metrics,
    providers: () => providers,
    requestContext,
  });
  return {
    admission,
    authorizer,
    metrics,
    maxBodyBytes: limits.maxRequestBodyBytes,
    measures: new RequestMeasures(metrics),
    minRequestTimeoutSeconds: limits.minRequestTimeout / 1000,
  };
}

interface HookParts {
  access: Access;
  client: LoopbackClient;
  storage: StorageFactory;
  resources: BuiltinResources;
  providers: readonly ResourceProvider[];
  extensions: Extensions | undefined;
  servers: readonly DelegationTarget[];
}

function hooksOf(
  config: ServerConfig,
  { access, client, storage, resources, providers, extensions, servers }: HookParts,
): Pick<ServerChain, "postStartHooks" | "preShutdownHooks"> {
  const { generic, extra } = config;
  const bootstrap = bootstrapHooks(client, config, storage);
  const apiServices = resources.lookup("apiregistration.k8s.io", "v1", "apiservices");
  return {
    postStartHooks: [
      ...access.hooks(resources),
      ...(extra.embedControllers ? [controllersHook(providers, rootOf(generic.secureServing.certificate.cert))] : []),
      ...bootstrap.postStart,
      storageReadinessHook(storage, generic.storage),
      serviceRepairHook(resources),
      ...(extensions ? apiextensionsHooks({ ...extensions, client, apiServices }) : []),
      ...servers.flatMap((s) => s.postStartHooks),
    ],
    preShutdownHooks: [...bootstrap.preShutdown, ...servers.flatMap((s) => s.preShutdownHooks)],
  };
}

/** Service addresses and IPAddress objects are kept the same. */
function serviceRepairHook(resources: BuiltinResources): PostStartHook {
  return {
    name: "start-service-ip-repair-controllers",
    run: (signal) => repairServiceAddresses(resources, controllerContext("ipallocator", signal), signal),
  };
}

interface Extensions {
  informer: CrdInformer;
  resources: CustomResources;
}

/** Undefined when there can be no CustomResourceDefinitions. */
function createExtensions(
  resources: BuiltinResources,
  { generic }: ServerConfig,
  behind: { storage: StorageFactory; resolveService: ResolveService },
): Extensions | undefined {
  const crds = resources.lookup("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  if (crds === undefined) return undefined;
  const informer = new CrdInformer(crds), { garbageCollection, deleteCollectionWorkers } = generic.storage;
  return {
    informer,
    resources: new CustomResources({
      ...behind,
      informer,
      garbageCollection,
      deleteCollectionWorkers,
      namespaceGate: resources.namespaceGate,
    }),
  };
}

/** The aggregator first, custom resources last. */
function serversOf(
  resources: BuiltinResources,
  custom: Extensions | undefined,
  dependencies: EndpointDependencies,
): DelegationTarget[] {
  const aggregator = "apiregistration.k8s.io", extensions = "apiextensions.k8s.io";
  const server = (name: string, provider: ResourceProvider) => createResourceServer({ name, provider, dependencies });
  const own = (mine: (group: string) => boolean) => groupsOf(resources, mine);
  return [
    server("kube-aggregator", own((group) => group === aggregator)),
    server("kube-apiserver", own((group) => group !== aggregator && group !== extensions)),
    server("apiextensions-apiserver", own((group) => group === extensions)),
    ...(custom ? [server("custom-resources", custom.resources)] : []),
  ];
}

/** The controllers that a cluster without kube-controller-manager cannot do without. */
function controllersHook(providers: readonly ResourceProvider[], rootCA: string): PostStartHook {
  return {
    name: "start-embedded-controllers",
    async run(signal) {
      const { startControllers } = await import("../controllers/mod.ts");
      await startControllers({
        providers,
        rootCA,
        onError: (controller, object, error) =>
          logError("Work failed and will be tried again", error, { controller, object }),
      }, signal);
    },
  };
}

/** The last certificate of a chain, which is for its authority; the certificate itself when it stands alone. */
function rootOf(chain: string): string {
  const certificates = chain.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
  return certificates === null ? "" : `${certificates.at(-1)}\n`;
}
