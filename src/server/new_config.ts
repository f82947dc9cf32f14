// A configuration to start from: everything off or at kube-apiserver's default, until options are applied to it.
import type { ExtraConfig, GenericConfig, ServerConfig } from "./config.ts";

const NO_FILES = { certFile: "", keyFile: "", cert: "", key: "" };

export function newServerConfig(): ServerConfig {
  return { generic: newGenericConfig(), extra: newExtraConfig() };
}

function newGenericConfig(): GenericConfig {
  return {
    secureServing: {
      bindAddress: "0.0.0.0",
      port: 6443,
      certificate: NO_FILES,
      sniCertificates: [],
      minVersion: "TLSv1.2",
      cipherSuites: [],
      http2: true,
      maxConcurrentStreams: 100,
    },
    externalAddress: "",
    publicAddress: "",
    authentication: {
      anonymous: false,
      serviceAccounts: { issuers: [], keyFiles: [], lookup: true, jwksUri: "" },
      jwt: [],
      audiences: [],
      bootstrapTokens: false,
    },
    authorization: { modes: [] },
    admission: { plugins: [] },
    storage: {
      backend: "sqlite",
      path: ":memory:",
      watchCache: true,
      uncachedResources: [],
      relaxedDurability: [],
      deleteCollectionWorkers: 1,
      garbageCollection: true,
      compactionInterval: 300_000,
      mediaType: "application/json",
      initializationTimeout: 60_000,
      collect: { objects: true, size: true },
    },
    limits: {
      maxRequestsInFlight: 400,
      maxMutatingRequestsInFlight: 200,
      requestTimeout: 60_000,
      minRequestTimeout: 1_800_000,
      maxRequestBodyBytes: 3 * 1024 * 1024,
    },
    shutdown: { delay: 0, sendRetryAfter: false, watchTerminationGracePeriod: 0 },
    corsAllowedOrigins: [],
    hstsDirectives: [],
    goawayChance: 0,
    features: { enabled: () => false },
    resources: { versionEnabled: () => true, resourceEnabled: () => true },
    livezGracePeriod: 0,
    priorityAndFairness: false,
    profiling: false,
    contentionProfiling: false,
  };
}

function newExtraConfig(): ExtraConfig {
  return {
    allowPrivileged: false,
    eventTtl: 3_600_000,
    serviceClusterIPRanges: ["10.0.0.0/24"],
    serviceNodePortRange: { first: 30000, last: 32767 },
    apiServerServiceIP: "10.0.0.1",
    kubernetesServiceNodePort: 0,
    endpointReconciler: "lease",
    serviceAccountIssuer: undefined,
    defaultNotReadyTolerationSeconds: 300,
    defaultUnreachableTolerationSeconds: 300,
    aggregatorRejectsRedirects: true,
    aggregatorRoutesToEndpoints: false,
    kubelet: {
      preferredAddressTypes: ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"],
      timeout: 5_000,
    },
    embedControllers: false,
  };
}
