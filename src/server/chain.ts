// createServerChain: the three servers behind one another, and everything that they share.
import type { Hono } from "hono";
import { CrdInformer } from "../apiextensions/crd_informer.ts";
import { CustomResources } from "../apiextensions/mod.ts";
import { registryLookup } from "../admission/plugins/lookup.ts";
import { controllerContext, unsyncedInformers } from "../controllers/informer.ts";
import { createDiscovery } from "../endpoints/discovery/mod.ts";
import type { EndpointDependencies } from "../endpoints/dependencies.ts";
import type { Env, RequestHandlerContext } from "../endpoints/env.ts";
import { handleOpenApi } from "../endpoints/openapi.ts";
import { handleDocument, type ServedDocument } from "../endpoints/routes/documents.ts";
import { handleHealth, healthPaths } from "../endpoints/routes/health.ts";
import { handleIndex, respondPageNotFound } from "../endpoints/routes/index.ts";
import { RequestMeasures } from "../endpoints/measures.ts";
import { handleMetrics } from "../endpoints/routes/metrics.ts";
import { PROTOBUF_TYPE } from "../endpoints/negotiation.ts";
import { handleVersion, recordVersion } from "../endpoints/routes/version.ts";
import { later } from "../later.ts";
import type { ResourceProvider } from "../registry/resource.ts";
import { logError, logInfo } from "../logging/mod.ts";
import { createMetrics, type Metrics } from "../metrics/mod.ts";
import { loadRe2 } from "../machinery/re2.ts";
import { type BuiltinResources, createBuiltinResources } from "../registry/builtin.ts";
import { paramAccessHooks } from "../registry/admissionpolicies/param_access.ts";
import { connectedSubresources } from "../registry/connected.ts";
import type { KubeletOptions } from "../registry/proxy/kubelets.ts";
import { legacyBindings } from "../registry/pods/binding.ts";
import { componentStatuses } from "../registry/virtual/component_status.ts";
import { resourceClaimHooks } from "../registry/resourceclaims/hooks.ts";
import { serviceHooks } from "../registry/services/allocate.ts";
import { repairServiceAddresses } from "../registry/services/repair.ts";
import { type ResolveService, serviceResolver } from "../registry/services/resolve.ts";
import type { StorageFactory } from "../storage/mod.ts";
import { apiextensionsHooks } from "./apiextensions.ts";
import { createAccess } from "./access.ts";
import { createAdmission, resourcesOf } from "./admission.ts";
import { bootstrapHooks } from "./bootstrap/mod.ts";
import type { KubeletClientConfig, ServerConfig } from "./config.ts";
import type { HealthCheck } from "../endpoints/routes/health.ts";
import type { DelegationTarget, PostStartHook, PreShutdownHook } from "./delegation.ts";
import { buildHandlerChain } from "./handler_chain.ts";
import { LoopbackClient } from "./loopback_client.ts";
import { createResourceServer, groupsOf } from "./resource_server.ts";
import { openStorage, storageChecks, storageReadinessHook } from "./storage.ts";

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
  const { generic, extra } = config;
  const metrics = createMetrics();
  recordVersion(metrics);
  const storage = await openStorage(generic.storage, { workerUrl: options.workerUrl, metrics });
  const loopbackToken = crypto.randomUUID();
  const client = new LoopbackClient((request, connection) => app.fetch(request, connection), { token: loopbackToken });
  const access = await createAccess(config, {
    client,
    loopbackToken,
    metrics,
    resources: () => resources,
    signal: options.stopped,
  });
  const { authorizer } = access;
  const resources: BuiltinResources = createBuiltinResources({
    storage,
    protobufStorage: generic.storage.mediaType === PROTOBUF_TYPE,
    virtual: {
      ...access.virtual,
      bindings: legacyBindings(() => resources.store("", "pods")),
      componentstatuses: componentStatuses(() => storage.healthy(0)),
    },
    subresources: { ...access.subresources, ...connectedSubresources(kubeletOptions(extra.kubelet), authorizer) },
    enabled: (group, version, resource) => generic.resources.resourceEnabled(group, version, resource),
    garbageCollection: generic.storage.garbageCollection,
    deleteCollectionWorkers: generic.storage.deleteCollectionWorkers,
    eventTtl: extra.eventTtl / 1000,
    hooks: {
      ...access.storeHooks,
      ...resourceClaimHooks(authorizer),
      ...paramAccessHooks({
        authorizer,
        resourceOf: (apiVersion, kind) => resourcesOf(providers, apiVersion, kind)[0],
      }),
      services: (builtin) =>
        serviceHooks(builtin, {
          clusterIPRanges: extra.serviceClusterIPRanges,
          nodePorts: extra.serviceNodePortRange,
          context: controllerContext("ipallocator", options.stopped),
        }),
    },
  });
  const resolveService = serviceResolver(
    resources.store("", "services"),
    controllerContext("webhooks", options.stopped),
  );
  const admissionContext = controllerContext("admission", options.stopped);
  const dependencies: EndpointDependencies = {
    admission: await createAdmission(config, {
      lookup: registryLookup(resources, admissionContext),
      client,
      authorizer,
      resolveService,
      metrics,
      providers: () => providers,
      requestContext: admissionContext,
    }),
    authorizer,
    metrics,
    maxBodyBytes: generic.limits.maxRequestBodyBytes,
    measures: new RequestMeasures(metrics),
    minRequestTimeoutSeconds: generic.limits.minRequestTimeout / 1000,
  };
  const extensions = createExtensions(resources, config, { storage, resolveService });
  const providers = extensions === undefined ? [resources] : [resources, extensions.resources];
  const servers = serversOf(resources, extensions, dependencies);
  const apiServices = resources.lookup("apiregistration.k8s.io", "v1", "apiservices");
  const healthChecks: HealthCheck[] = [
    ...BASE_CHECKS,
    ...storageChecks(storage, generic.storage),
    informerCheck(),
    ...servers.flatMap((s) => s.healthChecks),
  ];
  if (generic.corsAllowedOrigins.length > 0) await loadRe2();
  const app = buildHandlerChain(
    {
      authenticator: access.authenticator,
      audiences: generic.authentication.audiences,
      authorizer,
      metrics,
      corsAllowedOrigins: generic.corsAllowedOrigins,
      hstsDirectives: generic.hstsDirectives,
      requestTimeout: generic.limits.requestTimeout,
      maxRequestsInFlight: generic.limits.maxRequestsInFlight,
      maxMutatingRequestsInFlight: generic.limits.maxMutatingRequestsInFlight,
      stopped: options.stopped,
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
  const bootstrap = bootstrapHooks(client, config, storage);
  return {
    app,
    metrics,
    storage,
    resources,
    providers: () => providers,
    addHealthChecks: (checks) => void healthChecks.push(...checks),
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

function kubeletOptions({ certificateAuthority, client, ...rest }: KubeletClientConfig): KubeletOptions {
  return { ...rest, certificateAuthority: certificateAuthority?.pem, client };
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

interface Routes {
  servers: readonly DelegationTarget[];
  providers: readonly ResourceProvider[];
  extensions: Extensions | undefined;
  metrics: Metrics;
  healthChecks: readonly HealthCheck[];
  documents: readonly ServedDocument[];
  externalAddress: string;
}

/** What is no resource first, by its path; then each server in turn. */
function routesOf({ servers, providers, extensions, metrics, healthChecks, documents, externalAddress }: Routes) {
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

/** The checks that every server has from the start. */
const BASE_CHECKS: readonly HealthCheck[] = ["ping", "log"].map((name) => ({
  name,
  endpoints: ["healthz", "livez", "readyz"],
  check() {},
}));

/** Ready is who has seen once what is stored; informers that start later on do not count. */
function informerCheck(): HealthCheck {
  let synced = false;
  return {
    name: "informer-sync",
    endpoints: ["readyz"],
    check() {
      if (synced) return;
      const waiting = unsyncedInformers();
      if (waiting.length > 0) throw new Error(`${waiting.length} informers not synced: ${waiting.join(", ")}`);
      synced = true;
    },
  };
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
