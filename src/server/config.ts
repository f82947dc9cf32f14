// Everything the server is told at start, as plain typed data: what the options became once completed and checked.
// Durations are milliseconds; 0 means off unless said otherwise. Files named by flags have been read.
import type { JwtAuthenticatorConfig } from "../authentication/oidc/interface.ts";

/** The whole: what any generic API server needs, and what only kube-apiserver does. */
export interface ServerConfig {
  generic: GenericConfig;
  extra: ExtraConfig;
}

export interface GenericConfig {
  secureServing: SecureServingConfig;
  /** undefined: no plain HTTP port. */
  insecureServing?: InsecureServingConfig;
  /** host:port in links that the server writes about itself (--external-hostname). */
  externalAddress: string;
  /** The address others reach this server at (--advertise-address). */
  publicAddress: string;
  authentication: AuthenticationConfig;
  authorization: AuthorizationConfig;
  admission: AdmissionConfig;
  storage: StorageConfig;
  limits: LimitsConfig;
  shutdown: ShutdownConfig;
  /** Regular expressions (RE2) of --cors-allowed-origins; empty: no CORS headers. */
  corsAllowedOrigins: readonly string[];
  /** Directives of the Strict-Transport-Security header; empty: no header. */
  hstsDirectives: readonly string[];
  /** Share of requests that are told to go elsewhere, 0 to 0.02. */
  goawayChance: number;
  features: FeatureGates;
  /** Which API versions are served. */
  resources: ResourceConfig;
  /** /livez takes post-start hooks for done until this long after the start. */
  livezGracePeriod: number;
  priorityAndFairness: boolean;
  profiling: boolean;
  contentionProfiling: boolean;
}

/** A certificate chain with its key, PEM, and the files they came from. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
}

/** A certificate for some server names: exact ones, or `*.` and one label. Empty: the names in the certificate. */
export interface SniCertificate extends CertificateFiles {
  names: readonly string[];
}

export interface SecureServingConfig {
  bindAddress: string;
  port: number;
  certificate: CertificateFiles;
  sniCertificates: readonly SniCertificate[];
  minVersion: "TLSv1.2" | "TLSv1.3";
  /** IANA names; empty: the runtime's own choice. Does not bear on TLS 1.3. */
  cipherSuites: readonly string[];
  http2: boolean;
  /** HTTP/2 requests at the same time on one connection. */
  maxConcurrentStreams: number;
}

export interface InsecureServingConfig {
  bindAddress: string;
  port: number;
}

/** A file as it was read at start; it is read again when it changes. */
export interface ConfigurationFile {
  file: string;
  text: string;
}

/** A bundle of CA certificates, PEM. */
export interface CABundle {
  file: string;
  pem: string;
}

/** One row of --token-auth-file. */
export interface TokenRow {
  token: string;
  user: string;
  uid: string;
  groups: readonly string[];
}

export interface AuthenticationConfig {
  anonymous: boolean;
  /** Where anonymous requests are let in; everywhere unless given. */
  anonymousPaths?: readonly string[];
  /** OpenID Connect issuers (--oidc-*). */
  jwt: readonly JwtAuthenticatorConfig[];
  /** --authentication-config, which names issuers and says who may be anonymous. */
  configuration?: ConfigurationFile;
  /** CAs of client certificates that name a user. */
  clientCA?: CABundle;
  tokenFile?: { file: string; rows: readonly TokenRow[] };
  requestHeader?: RequestHeaderConfig;
  serviceAccounts: ServiceAccountAuthenticationConfig;
  /** What a token has to be good for (--api-audiences; the issuers unless given). */
  audiences: readonly string[];
  bootstrapTokens: boolean;
  webhook?: WebhookAuthenticationConfig;
}

/** Who is asked about tokens that nobody here knows. */
export interface WebhookAuthenticationConfig {
  kubeconfig: string;
  version: "v1" | "v1beta1";
  /** How long answers are remembered. */
  ttl: number;
}

/** Who may speak for others by headers: an authenticating proxy (--requestheader-*). */
export interface RequestHeaderConfig {
  clientCA: CABundle;
  allowedNames: readonly string[];
  usernameHeaders: readonly string[];
  uidHeaders: readonly string[];
  groupHeaders: readonly string[];
  extraHeadersPrefix: readonly string[];
}

export interface ServiceAccountAuthenticationConfig {
  /** The first signs, all are accepted. */
  issuers: readonly string[];
  /** Public or private keys, PEM; a file may hold several. */
  keyFiles: readonly { file: string; pem: string }[];
  /** Whether the token's account has to exist. */
  lookup: boolean;
  jwksUri: string;
}

export type AuthorizationMode = "AlwaysAllow" | "AlwaysDeny" | "ABAC" | "Webhook" | "RBAC" | "Node";

export interface AuthorizationConfig {
  /** Who is asked, in this order. */
  modes: readonly AuthorizationMode[];
  /** The policies of ABAC mode, the text of the file. */
  policies?: string;
  /** Of Webhook mode. */
  webhook?: WebhookAuthorizationConfig;
  /** Authorizers by file, in place of the modes: --authorization-config. */
  configuration?: ConfigurationFile;
}

export interface WebhookAuthorizationConfig {
  kubeconfig: string;
  version: "v1" | "v1beta1";
  /** How long answers are remembered. */
  authorizedTtl: number;
  unauthorizedTtl: number;
}

export interface AdmissionConfig {
  /** Plugins that run, in kube-apiserver's order. */
  plugins: readonly string[];
  /** AdmissionConfiguration as text; paths in it are relative to its folder. */
  configFile?: { file: string; text: string };
}

export type StorageConfig =
  & {
    watchCache: boolean;
    /** Resources that are read from the database every time (`pods`, `deployments.apps`). */
    uncachedResources: readonly string[];
    deleteCollectionWorkers: number;
    garbageCollection: boolean;
    /** How often old revisions go. */
    compactionInterval: number;
    mediaType: "application/json" | "application/vnd.kubernetes.protobuf";
    /** How long the server is not ready because storage is not. */
    initializationTimeout: number;
    /** What is counted and measured at each scrape of the metrics. */
    collect: { objects: boolean; size: boolean };
    /** EncryptionConfiguration as text. */
    encryption?: { file: string; text: string; reload: boolean };
  }
  & (
    | {
      backend: "sqlite";
      /** A file, or `:memory:`. */
      path: string;
      /** Resources whose last writes a crash may lose (`leases`, `widgets.example.com`). */
      relaxedDurability: readonly string[];
    }
    | { backend: "etcd3"; etcd: EtcdConfig }
  );

export interface EtcdConfig {
  /** URLs. */
  servers: readonly string[];
  /** Resources that are kept elsewhere. */
  overrides: readonly { group: string; resource: string; servers: readonly string[] }[];
  /** PEM. */
  ca?: string;
  cert?: string;
  key?: string;
  /** What keys start with, `/registry`. */
  prefix: string;
  healthcheckTimeout: number;
  readycheckTimeout: number;
  leaseReuseSeconds: number;
}

export interface LimitsConfig {
  /** Requests that only read; 0: no limit. */
  maxRequestsInFlight: number;
  maxMutatingRequestsInFlight: number;
  requestTimeout: number;
  /** A watch without timeoutSeconds lasts this long at least, and at most twice as long. */
  minRequestTimeout: number;
  /** Bytes of a request body. */
  maxRequestBodyBytes: number;
}

export interface ShutdownConfig {
  /** How long requests are served as before once readyz has failed. */
  delay: number;
  /** Answer 429 while the last requests end, rather than to close the listener at once. */
  sendRetryAfter: boolean;
  /** How long watches get to end. */
  watchTerminationGracePeriod: number;
}

/** State of every known feature gate. */
export interface FeatureGates {
  /** Throws for an unknown name. */
  enabled(name: string): boolean;
}

export interface ResourceConfig {
  /** Whether this version is served; `resource` when the question is about one resource. */
  versionEnabled(group: string, version: string): boolean;
  resourceEnabled(group: string, version: string, resource: string): boolean;
}

/** What only kube-apiserver has. */
export interface ExtraConfig {
  allowPrivileged: boolean;
  eventTtl: number;
  /** CIDRs, one or two of different families; the first is the primary. */
  serviceClusterIPRanges: readonly string[];
  serviceNodePortRange: { first: number; last: number };
  /** The first address of the primary range: that of the service `kubernetes`. */
  apiServerServiceIP: string;
  /** Node port of the service `kubernetes`; 0: ClusterIP only. */
  kubernetesServiceNodePort: number;
  endpointReconciler: "lease" | "master-count" | "none";
  serviceAccountIssuer: ServiceAccountIssuerConfig | undefined;
  defaultNotReadyTolerationSeconds: number;
  defaultUnreachableTolerationSeconds: number;
  /** The certificate with which the server calls aggregated servers and webhooks. */
  proxyClient?: CertificateFiles;
  aggregatorRejectsRedirects: boolean;
  aggregatorRoutesToEndpoints: boolean;
  kubelet: KubeletClientConfig;
  /** Run controllers in this process (`up`). */
  embedControllers: boolean;
  /** Where `up` keeps what it generated. */
  dataDir?: string;
}

export interface ServiceAccountIssuerConfig {
  issuer: string;
  /** Private key, PEM. */
  signingKey: { file: string; pem: string };
  /** The longest life of a token that may be asked for; 0: no limit. */
  maxTokenExpiration: number;
  /** Injected tokens live a year, so that old clients go on working. */
  extendTokenExpiration: boolean;
}

export interface KubeletClientConfig {
  certificateAuthority?: CABundle;
  client?: CertificateFiles;
  preferredAddressTypes: readonly string[];
  timeout: number;
}
