// Made by `deno task generate`; do not edit.
import type { Json, JsonObject, ListMeta, ObjectMeta } from "../../machinery/types.ts";

/** io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions */
export interface APIVersions {
  kind?: string;
  apiVersion?: string;
  versions?: string[] | null;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[] | null;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.ServerAddressByClientCIDR */
export interface ServerAddressByClientCIDR {
  clientCIDR?: string;
  serverAddress?: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.APIResource */
export interface APIResource {
  name?: string;
  singularName?: string;
  namespaced?: boolean;
  group?: string;
  version?: string;
  kind?: string;
  verbs?: string[] | null;
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList */
export interface APIResourceList {
  kind?: string;
  apiVersion?: string;
  groupVersion?: string;
  resources?: APIResource[] | null;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.Condition */
export interface Condition {
  type?: string;
  status?: string;
  observedGeneration?: number;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions */
export interface DeleteOptions {
  kind?: string;
  apiVersion?: string;
  gracePeriodSeconds?: number;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement */
export interface LabelSelectorRequirement {
  key?: string;
  operator?: string;
  values?: string[];
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.Patch */
export interface Patch {
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.Preconditions */
export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.ShardInfo */
export interface ShardInfo {
  selector?: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.Status */
export interface Status {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.StatusCause */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.StatusDetails */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent */
export interface WatchEvent {
  type?: string;
  object?: JsonObject | null;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup */
export interface APIGroup {
  kind?: string;
  apiVersion?: string;
  name?: string;
  versions?: GroupVersionForDiscovery[] | null;
  preferredVersion?: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList */
export interface APIGroupList {
  kind?: string;
  apiVersion?: string;
  groups?: APIGroup[] | null;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery */
export interface GroupVersionForDiscovery {
  groupVersion?: string;
  version?: string;
}

/** io.k8s.apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement */
export interface FieldSelectorRequirement {
  key?: string;
  operator?: string;
  values?: string[];
}

/** io.k8s.api.core.v1.AWSElasticBlockStoreVolumeSource */
export interface AWSElasticBlockStoreVolumeSource {
  volumeID?: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.Affinity */
export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
}

/** io.k8s.api.core.v1.AppArmorProfile */
export interface AppArmorProfile {
  type?: string;
  localhostProfile?: string;
}

/** io.k8s.api.core.v1.AttachedVolume */
export interface AttachedVolume {
  name?: string;
  devicePath?: string;
}

/** io.k8s.api.core.v1.AzureDiskVolumeSource */
export interface AzureDiskVolumeSource {
  diskName?: string;
  diskURI?: string;
  cachingMode?: string;
  fsType?: string;
  readOnly?: boolean;
  kind?: string;
}

/** io.k8s.api.core.v1.AzureFilePersistentVolumeSource */
export interface AzureFilePersistentVolumeSource {
  secretName?: string;
  shareName?: string;
  readOnly?: boolean;
  secretNamespace?: string | null;
}

/** io.k8s.api.core.v1.AzureFileVolumeSource */
export interface AzureFileVolumeSource {
  secretName?: string;
  shareName?: string;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.Binding */
export interface Binding {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  target?: ObjectReference;
}

/** io.k8s.api.core.v1.CSIPersistentVolumeSource */
export interface CSIPersistentVolumeSource {
  driver?: string;
  volumeHandle?: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
}

/** io.k8s.api.core.v1.CSIVolumeSource */
export interface CSIVolumeSource {
  driver?: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  nodePublishSecretRef?: LocalObjectReference;
}

/** io.k8s.api.core.v1.Capabilities */
export interface Capabilities {
  add?: string[];
  drop?: string[];
}

/** io.k8s.api.core.v1.CephFSPersistentVolumeSource */
export interface CephFSPersistentVolumeSource {
  monitors?: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.CephFSVolumeSource */
export interface CephFSVolumeSource {
  monitors?: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.CinderPersistentVolumeSource */
export interface CinderPersistentVolumeSource {
  volumeID?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: SecretReference;
}

/** io.k8s.api.core.v1.CinderVolumeSource */
export interface CinderVolumeSource {
  volumeID?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}

/** io.k8s.api.core.v1.ClientIPConfig */
export interface ClientIPConfig {
  timeoutSeconds?: number;
}

/** io.k8s.api.core.v1.ClusterTrustBundleProjection */
export interface ClusterTrustBundleProjection {
  name?: string;
  signerName?: string;
  labelSelector?: LabelSelector;
  optional?: boolean;
  path?: string;
}

/** io.k8s.api.core.v1.ComponentCondition */
export interface ComponentCondition {
  type?: string;
  status?: string;
  message?: string;
  error?: string;
}

/** io.k8s.api.core.v1.ComponentStatus */
export interface ComponentStatus {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  conditions?: ComponentCondition[];
}

/** io.k8s.api.core.v1.ComponentStatusList */
export interface ComponentStatusList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ComponentStatus[] | null;
}

/** io.k8s.api.core.v1.ConfigMap */
export interface ConfigMap {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

/** io.k8s.api.core.v1.ConfigMapEnvSource */
export interface ConfigMapEnvSource {
  name?: string;
  optional?: boolean;
}

/** io.k8s.api.core.v1.ConfigMapKeySelector */
export interface ConfigMapKeySelector {
  name?: string;
  key?: string;
  optional?: boolean;
}

/** io.k8s.api.core.v1.ConfigMapList */
export interface ConfigMapList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ConfigMap[] | null;
}

/** io.k8s.api.core.v1.ConfigMapNodeConfigSource */
export interface ConfigMapNodeConfigSource {
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey?: string;
}

/** io.k8s.api.core.v1.ConfigMapProjection */
export interface ConfigMapProjection {
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
}

/** io.k8s.api.core.v1.ConfigMapVolumeSource */
export interface ConfigMapVolumeSource {
  name?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
}

/** io.k8s.api.core.v1.Container */
export interface Container {
  name?: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}

/** io.k8s.api.core.v1.ContainerExtendedResourceRequest */
export interface ContainerExtendedResourceRequest {
  containerName?: string;
  resourceName?: string;
  requestName?: string;
}

/** io.k8s.api.core.v1.ContainerImage */
export interface ContainerImage {
  names?: string[] | null;
  sizeBytes?: number;
}

/** io.k8s.api.core.v1.ContainerPort */
export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort?: number;
  protocol?: string;
  hostIP?: string;
}

/** io.k8s.api.core.v1.ContainerResizePolicy */
export interface ContainerResizePolicy {
  resourceName?: string;
  restartPolicy?: string;
}

/** io.k8s.api.core.v1.ContainerRestartRule */
export interface ContainerRestartRule {
  action?: string;
  exitCodes?: ContainerRestartRuleOnExitCodes;
}

/** io.k8s.api.core.v1.ContainerRestartRuleOnExitCodes */
export interface ContainerRestartRuleOnExitCodes {
  operator?: string;
  values?: number[];
}

/** io.k8s.api.core.v1.ContainerState */
export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}

/** io.k8s.api.core.v1.ContainerStateRunning */
export interface ContainerStateRunning {
  startedAt?: string;
}

/** io.k8s.api.core.v1.ContainerStateTerminated */
export interface ContainerStateTerminated {
  exitCode?: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: string;
  finishedAt?: string;
  containerID?: string;
}

/** io.k8s.api.core.v1.ContainerStateWaiting */
export interface ContainerStateWaiting {
  reason?: string;
  message?: string;
}

/** io.k8s.api.core.v1.ContainerStatus */
export interface ContainerStatus {
  name?: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready?: boolean;
  restartCount?: number;
  image?: string;
  imageID?: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: Record<string, string>;
  resources?: ResourceRequirements;
  volumeMounts?: VolumeMountStatus[];
  user?: ContainerUser;
  allocatedResourcesStatus?: ResourceStatus[];
  stopSignal?: string;
}

/** io.k8s.api.core.v1.ContainerUser */
export interface ContainerUser {
  linux?: LinuxContainerUser;
}

/** io.k8s.api.core.v1.DaemonEndpoint */
export interface DaemonEndpoint {
  Port?: number;
}

/** io.k8s.api.core.v1.DownwardAPIProjection */
export interface DownwardAPIProjection {
  items?: DownwardAPIVolumeFile[];
}

/** io.k8s.api.core.v1.DownwardAPIVolumeFile */
export interface DownwardAPIVolumeFile {
  path?: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
}

/** io.k8s.api.core.v1.DownwardAPIVolumeSource */
export interface DownwardAPIVolumeSource {
  items?: DownwardAPIVolumeFile[];
  defaultMode?: number;
}

/** io.k8s.api.core.v1.EmptyDirVolumeSource */
export interface EmptyDirVolumeSource {
  medium?: string;
  sizeLimit?: string;
}

/** io.k8s.api.core.v1.EndpointAddress */
export interface EndpointAddress {
  ip?: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
}

/** io.k8s.api.core.v1.EndpointPort */
export interface EndpointPort {
  name?: string;
  port?: number;
  protocol?: string;
  appProtocol?: string;
}

/** io.k8s.api.core.v1.EndpointSubset */
export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

/** io.k8s.api.core.v1.Endpoints */
export interface Endpoints {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  subsets?: EndpointSubset[];
}

/** io.k8s.api.core.v1.EndpointsList */
export interface EndpointsList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Endpoints[] | null;
}

/** io.k8s.api.core.v1.EnvFromSource */
export interface EnvFromSource {
  prefix?: string;
  configMapRef?: ConfigMapEnvSource;
  secretRef?: SecretEnvSource;
}

/** io.k8s.api.core.v1.EnvVar */
export interface EnvVar {
  name?: string;
  value?: string;
  valueFrom?: EnvVarSource;
}

/** io.k8s.api.core.v1.EnvVarSource */
export interface EnvVarSource {
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: ConfigMapKeySelector;
  secretKeyRef?: SecretKeySelector;
  fileKeyRef?: FileKeySelector;
}

/** io.k8s.api.core.v1.EphemeralContainer */
export interface EphemeralContainer {
  name?: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  targetContainerName?: string;
}

/** io.k8s.api.core.v1.EphemeralVolumeSource */
export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/** io.k8s.api.core.v1.Event */
export interface Event {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  involvedObject?: ObjectReference;
  reason?: string;
  message?: string;
  source?: EventSource;
  firstTimestamp?: string;
  lastTimestamp?: string;
  count?: number;
  type?: string;
  eventTime?: string;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
}

/** io.k8s.api.core.v1.EventList */
export interface EventList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Event[] | null;
}

/** io.k8s.api.core.v1.EventSeries */
export interface EventSeries {
  count?: number;
  lastObservedTime?: string;
}

/** io.k8s.api.core.v1.EventSource */
export interface EventSource {
  component?: string;
  host?: string;
}

/** io.k8s.api.core.v1.ExecAction */
export interface ExecAction {
  command?: string[];
}

/** io.k8s.api.core.v1.FCVolumeSource */
export interface FCVolumeSource {
  targetWWNs?: string[];
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: string[];
}

/** io.k8s.api.core.v1.FileKeySelector */
export interface FileKeySelector {
  volumeName?: string;
  path?: string;
  key?: string;
  optional?: boolean;
}

/** io.k8s.api.core.v1.FlexPersistentVolumeSource */
export interface FlexPersistentVolumeSource {
  driver?: string;
  fsType?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}

/** io.k8s.api.core.v1.FlexVolumeSource */
export interface FlexVolumeSource {
  driver?: string;
  fsType?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}

/** io.k8s.api.core.v1.FlockerVolumeSource */
export interface FlockerVolumeSource {
  datasetName?: string;
  datasetUUID?: string;
}

/** io.k8s.api.core.v1.GCEPersistentDiskVolumeSource */
export interface GCEPersistentDiskVolumeSource {
  pdName?: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.GRPCAction */
export interface GRPCAction {
  port?: number;
  service?: string | null;
}

/** io.k8s.api.core.v1.GitRepoVolumeSource */
export interface GitRepoVolumeSource {
  repository?: string;
  revision?: string;
  directory?: string;
}

/** io.k8s.api.core.v1.GlusterfsPersistentVolumeSource */
export interface GlusterfsPersistentVolumeSource {
  endpoints?: string;
  path?: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
}

/** io.k8s.api.core.v1.GlusterfsVolumeSource */
export interface GlusterfsVolumeSource {
  endpoints?: string;
  path?: string;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.HTTPGetAction */
export interface HTTPGetAction {
  path?: string;
  port?: number | string;
  host?: string;
  scheme?: string;
  httpHeaders?: HTTPHeader[];
}

/** io.k8s.api.core.v1.HTTPHeader */
export interface HTTPHeader {
  name?: string;
  value?: string;
}

/** io.k8s.api.core.v1.HostAlias */
export interface HostAlias {
  ip?: string;
  hostnames?: string[];
}

/** io.k8s.api.core.v1.HostIP */
export interface HostIP {
  ip?: string;
}

/** io.k8s.api.core.v1.HostPathVolumeSource */
export interface HostPathVolumeSource {
  path?: string;
  type?: string;
}

/** io.k8s.api.core.v1.ISCSIPersistentVolumeSource */
export interface ISCSIPersistentVolumeSource {
  targetPortal?: string;
  iqn?: string;
  lun?: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: SecretReference;
  initiatorName?: string;
}

/** io.k8s.api.core.v1.ISCSIVolumeSource */
export interface ISCSIVolumeSource {
  targetPortal?: string;
  iqn?: string;
  lun?: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: LocalObjectReference;
  initiatorName?: string;
}

/** io.k8s.api.core.v1.ImageVolumeSource */
export interface ImageVolumeSource {
  reference?: string;
  pullPolicy?: string;
}

/** io.k8s.api.core.v1.ImageVolumeStatus */
export interface ImageVolumeStatus {
  imageRef?: string;
}

/** io.k8s.api.core.v1.KeyToPath */
export interface KeyToPath {
  key?: string;
  path?: string;
  mode?: number;
}

/** io.k8s.api.core.v1.Lifecycle */
export interface Lifecycle {
  postStart?: LifecycleHandler;
  preStop?: LifecycleHandler;
  stopSignal?: string;
}

/** io.k8s.api.core.v1.LifecycleHandler */
export interface LifecycleHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  sleep?: SleepAction;
}

/** io.k8s.api.core.v1.LimitRange */
export interface LimitRange {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: LimitRangeSpec;
}

/** io.k8s.api.core.v1.LimitRangeItem */
export interface LimitRangeItem {
  type?: string;
  max?: Record<string, string>;
  min?: Record<string, string>;
  default?: Record<string, string>;
  defaultRequest?: Record<string, string>;
  maxLimitRequestRatio?: Record<string, string>;
}

/** io.k8s.api.core.v1.LimitRangeList */
export interface LimitRangeList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: LimitRange[] | null;
}

/** io.k8s.api.core.v1.LimitRangeSpec */
export interface LimitRangeSpec {
  limits?: LimitRangeItem[] | null;
}

/** io.k8s.api.core.v1.LinuxContainerUser */
export interface LinuxContainerUser {
  uid?: number;
  gid?: number;
  supplementalGroups?: number[];
}

/** io.k8s.api.core.v1.LoadBalancerIngress */
export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: PortStatus[];
}

/** io.k8s.api.core.v1.LoadBalancerStatus */
export interface LoadBalancerStatus {
  ingress?: LoadBalancerIngress[];
}

/** io.k8s.api.core.v1.LocalObjectReference */
export interface LocalObjectReference {
  name?: string;
}

/** io.k8s.api.core.v1.LocalVolumeSource */
export interface LocalVolumeSource {
  path?: string;
  fsType?: string;
}

/** io.k8s.api.core.v1.ModifyVolumeStatus */
export interface ModifyVolumeStatus {
  targetVolumeAttributesClassName?: string;
  status?: string;
}

/** io.k8s.api.core.v1.NFSVolumeSource */
export interface NFSVolumeSource {
  server?: string;
  path?: string;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.Namespace */
export interface Namespace {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: NamespaceSpec;
  status?: NamespaceStatus;
}

/** io.k8s.api.core.v1.NamespaceCondition */
export interface NamespaceCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.core.v1.NamespaceList */
export interface NamespaceList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Namespace[] | null;
}

/** io.k8s.api.core.v1.NamespaceSpec */
export interface NamespaceSpec {
  finalizers?: string[];
}

/** io.k8s.api.core.v1.NamespaceStatus */
export interface NamespaceStatus {
  phase?: string;
  conditions?: NamespaceCondition[];
}

/** io.k8s.api.core.v1.Node */
export interface Node {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: NodeSpec;
  status?: NodeStatus;
}

/** io.k8s.api.core.v1.NodeAddress */
export interface NodeAddress {
  type?: string;
  address?: string;
}

/** io.k8s.api.core.v1.NodeAffinity */
export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
}

/** io.k8s.api.core.v1.NodeAllocatableResourceClaimStatus */
export interface NodeAllocatableResourceClaimStatus {
  resourceClaimName?: string;
  containers?: string[];
  resources?: Record<string, string> | null;
}

/** io.k8s.api.core.v1.NodeCondition */
export interface NodeCondition {
  type?: string;
  status?: string;
  lastHeartbeatTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.core.v1.NodeConfigSource */
export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource;
}

/** io.k8s.api.core.v1.NodeConfigStatus */
export interface NodeConfigStatus {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string;
}

/** io.k8s.api.core.v1.NodeDaemonEndpoints */
export interface NodeDaemonEndpoints {
  kubeletEndpoint?: DaemonEndpoint;
}

/** io.k8s.api.core.v1.NodeFeatures */
export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean;
}

/** io.k8s.api.core.v1.NodeList */
export interface NodeList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Node[] | null;
}

/** io.k8s.api.core.v1.NodeRuntimeHandler */
export interface NodeRuntimeHandler {
  name?: string;
  features?: NodeRuntimeHandlerFeatures;
}

/** io.k8s.api.core.v1.NodeRuntimeHandlerFeatures */
export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
}

/** io.k8s.api.core.v1.NodeSelector */
export interface NodeSelector {
  nodeSelectorTerms?: NodeSelectorTerm[] | null;
}

/** io.k8s.api.core.v1.NodeSelectorRequirement */
export interface NodeSelectorRequirement {
  key?: string;
  operator?: string;
  values?: string[];
}

/** io.k8s.api.core.v1.NodeSelectorTerm */
export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}

/** io.k8s.api.core.v1.NodeSpec */
export interface NodeSpec {
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  configSource?: NodeConfigSource;
  externalID?: string;
}

/** io.k8s.api.core.v1.NodeStatus */
export interface NodeStatus {
  capacity?: Record<string, string>;
  allocatable?: Record<string, string>;
  phase?: string;
  conditions?: NodeCondition[];
  addresses?: NodeAddress[];
  daemonEndpoints?: NodeDaemonEndpoints;
  nodeInfo?: NodeSystemInfo;
  images?: ContainerImage[];
  volumesInUse?: string[];
  volumesAttached?: AttachedVolume[];
  config?: NodeConfigStatus;
  runtimeHandlers?: NodeRuntimeHandler[];
  features?: NodeFeatures;
  declaredFeatures?: string[];
}

/** io.k8s.api.core.v1.NodeSwapStatus */
export interface NodeSwapStatus {
  capacity?: number;
}

/** io.k8s.api.core.v1.NodeSystemInfo */
export interface NodeSystemInfo {
  machineID?: string;
  systemUUID?: string;
  bootID?: string;
  kernelVersion?: string;
  osImage?: string;
  containerRuntimeVersion?: string;
  kubeletVersion?: string;
  kubeProxyVersion?: string;
  operatingSystem?: string;
  architecture?: string;
  swap?: NodeSwapStatus;
}

/** io.k8s.api.core.v1.ObjectFieldSelector */
export interface ObjectFieldSelector {
  apiVersion?: string;
  fieldPath?: string;
}

/** io.k8s.api.core.v1.ObjectReference */
export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

/** io.k8s.api.core.v1.PersistentVolume */
export interface PersistentVolume {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: PersistentVolumeSpec;
  status?: PersistentVolumeStatus;
}

/** io.k8s.api.core.v1.PersistentVolumeClaim */
export interface PersistentVolumeClaim {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: PersistentVolumeClaimSpec;
  status?: PersistentVolumeClaimStatus;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimCondition */
export interface PersistentVolumeClaimCondition {
  type?: string;
  status?: string;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimList */
export interface PersistentVolumeClaimList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: PersistentVolumeClaim[] | null;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimSpec */
export interface PersistentVolumeClaimSpec {
  accessModes?: string[];
  selector?: LabelSelector;
  resources?: VolumeResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  volumeAttributesClassName?: string;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimStatus */
export interface PersistentVolumeClaimStatus {
  phase?: string;
  accessModes?: string[];
  capacity?: Record<string, string>;
  conditions?: PersistentVolumeClaimCondition[];
  allocatedResources?: Record<string, string>;
  allocatedResourceStatuses?: Record<string, string>;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: ModifyVolumeStatus;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimTemplate */
export interface PersistentVolumeClaimTemplate {
  metadata?: ObjectMeta;
  spec?: PersistentVolumeClaimSpec;
}

/** io.k8s.api.core.v1.PersistentVolumeClaimVolumeSource */
export interface PersistentVolumeClaimVolumeSource {
  claimName?: string;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.PersistentVolumeList */
export interface PersistentVolumeList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: PersistentVolume[] | null;
}

/** io.k8s.api.core.v1.PersistentVolumeSpec */
export interface PersistentVolumeSpec {
  capacity?: Record<string, string>;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
  accessModes?: string[];
  claimRef?: ObjectReference;
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  mountOptions?: string[];
  volumeMode?: string;
  nodeAffinity?: VolumeNodeAffinity;
  volumeAttributesClassName?: string;
}

/** io.k8s.api.core.v1.PersistentVolumeStatus */
export interface PersistentVolumeStatus {
  phase?: string;
  message?: string;
  reason?: string;
  lastPhaseTransitionTime?: string;
}

/** io.k8s.api.core.v1.PhotonPersistentDiskVolumeSource */
export interface PhotonPersistentDiskVolumeSource {
  pdID?: string;
  fsType?: string;
}

/** io.k8s.api.core.v1.Pod */
export interface Pod {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: PodSpec;
  status?: PodStatus;
}

/** io.k8s.api.core.v1.PodAffinity */
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}

/** io.k8s.api.core.v1.PodAffinityTerm */
export interface PodAffinityTerm {
  labelSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey?: string;
  namespaceSelector?: LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

/** io.k8s.api.core.v1.PodAntiAffinity */
export interface PodAntiAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}

/** io.k8s.api.core.v1.PodCertificateProjection */
export interface PodCertificateProjection {
  signerName?: string;
  keyType?: string;
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: Record<string, string>;
}

/** io.k8s.api.core.v1.PodCondition */
export interface PodCondition {
  type?: string;
  observedGeneration?: number;
  status?: string;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.core.v1.PodDNSConfig */
export interface PodDNSConfig {
  nameservers?: string[];
  searches?: string[];
  options?: PodDNSConfigOption[];
}

/** io.k8s.api.core.v1.PodDNSConfigOption */
export interface PodDNSConfigOption {
  name?: string;
  value?: string;
}

/** io.k8s.api.core.v1.PodExtendedResourceClaimStatus */
export interface PodExtendedResourceClaimStatus {
  requestMappings?: ContainerExtendedResourceRequest[] | null;
  resourceClaimName?: string;
}

/** io.k8s.api.core.v1.PodIP */
export interface PodIP {
  ip?: string;
}

/** io.k8s.api.core.v1.PodList */
export interface PodList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Pod[] | null;
}

/** io.k8s.api.core.v1.PodOS */
export interface PodOS {
  name?: string;
}

/** io.k8s.api.core.v1.PodReadinessGate */
export interface PodReadinessGate {
  conditionType?: string;
}

/** io.k8s.api.core.v1.PodResourceClaim */
export interface PodResourceClaim {
  name?: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}

/** io.k8s.api.core.v1.PodResourceClaimStatus */
export interface PodResourceClaimStatus {
  name?: string;
  resourceClaimName?: string;
}

/** io.k8s.api.core.v1.PodSchedulingGate */
export interface PodSchedulingGate {
  name?: string;
}

/** io.k8s.api.core.v1.PodSchedulingGroup */
export interface PodSchedulingGroup {
  podGroupName?: string;
}

/** io.k8s.api.core.v1.PodSecurityContext */
export interface PodSecurityContext {
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  supplementalGroups?: number[];
  supplementalGroupsPolicy?: string;
  fsGroup?: number;
  sysctls?: Sysctl[];
  fsGroupChangePolicy?: string;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
  seLinuxChangePolicy?: string;
}

/** io.k8s.api.core.v1.PodSpec */
export interface PodSpec {
  volumes?: Volume[];
  initContainers?: Container[];
  containers?: Container[] | null;
  ephemeralContainers?: EphemeralContainer[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: LocalObjectReference[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: HostAlias[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: PodDNSConfig;
  readinessGates?: PodReadinessGate[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: string;
  overhead?: Record<string, string>;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: PodOS;
  hostUsers?: boolean;
  schedulingGates?: PodSchedulingGate[];
  resourceClaims?: PodResourceClaim[];
  resources?: ResourceRequirements;
  hostnameOverride?: string;
  schedulingGroup?: PodSchedulingGroup;
}

/** io.k8s.api.core.v1.PodStatus */
export interface PodStatus {
  observedGeneration?: number;
  phase?: string;
  conditions?: PodCondition[];
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: HostIP[];
  podIP?: string;
  podIPs?: PodIP[];
  startTime?: string;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  qosClass?: string;
  ephemeralContainerStatuses?: ContainerStatus[];
  resize?: string;
  resourceClaimStatuses?: PodResourceClaimStatus[];
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  allocatedResources?: Record<string, string>;
  resources?: ResourceRequirements;
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[];
}

/** io.k8s.api.core.v1.PodTemplate */
export interface PodTemplate {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  template?: PodTemplateSpec;
}

/** io.k8s.api.core.v1.PodTemplateList */
export interface PodTemplateList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: PodTemplate[] | null;
}

/** io.k8s.api.core.v1.PodTemplateSpec */
export interface PodTemplateSpec {
  metadata?: ObjectMeta;
  spec?: PodSpec;
}

/** io.k8s.api.core.v1.PortStatus */
export interface PortStatus {
  port?: number;
  protocol?: string;
  error?: string;
}

/** io.k8s.api.core.v1.PortworxVolumeSource */
export interface PortworxVolumeSource {
  volumeID?: string;
  fsType?: string;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.PreferredSchedulingTerm */
export interface PreferredSchedulingTerm {
  weight?: number;
  preference?: NodeSelectorTerm;
}

/** io.k8s.api.core.v1.Probe */
export interface Probe {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}

/** io.k8s.api.core.v1.ProjectedVolumeSource */
export interface ProjectedVolumeSource {
  sources?: VolumeProjection[] | null;
  defaultMode?: number;
}

/** io.k8s.api.core.v1.QuobyteVolumeSource */
export interface QuobyteVolumeSource {
  registry?: string;
  volume?: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
}

/** io.k8s.api.core.v1.RBDPersistentVolumeSource */
export interface RBDPersistentVolumeSource {
  monitors?: string[] | null;
  image?: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.RBDVolumeSource */
export interface RBDVolumeSource {
  monitors?: string[] | null;
  image?: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.ReplicationController */
export interface ReplicationController {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ReplicationControllerSpec;
  status?: ReplicationControllerStatus;
}

/** io.k8s.api.core.v1.ReplicationControllerCondition */
export interface ReplicationControllerCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.core.v1.ReplicationControllerList */
export interface ReplicationControllerList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ReplicationController[] | null;
}

/** io.k8s.api.core.v1.ReplicationControllerSpec */
export interface ReplicationControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec;
}

/** io.k8s.api.core.v1.ReplicationControllerStatus */
export interface ReplicationControllerStatus {
  replicas?: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
  conditions?: ReplicationControllerCondition[];
}

/** io.k8s.api.core.v1.ResourceClaim */
export interface ResourceClaim {
  name?: string;
  request?: string;
}

/** io.k8s.api.core.v1.ResourceFieldSelector */
export interface ResourceFieldSelector {
  containerName?: string;
  resource?: string;
  divisor?: string;
}

/** io.k8s.api.core.v1.ResourceHealth */
export interface ResourceHealth {
  resourceID?: string;
  health?: string;
  message?: string;
}

/** io.k8s.api.core.v1.ResourceQuota */
export interface ResourceQuota {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ResourceQuotaSpec;
  status?: ResourceQuotaStatus;
}

/** io.k8s.api.core.v1.ResourceQuotaList */
export interface ResourceQuotaList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ResourceQuota[] | null;
}

/** io.k8s.api.core.v1.ResourceQuotaSpec */
export interface ResourceQuotaSpec {
  hard?: Record<string, string>;
  scopes?: string[];
  scopeSelector?: ScopeSelector;
}

/** io.k8s.api.core.v1.ResourceQuotaStatus */
export interface ResourceQuotaStatus {
  hard?: Record<string, string>;
  used?: Record<string, string>;
}

/** io.k8s.api.core.v1.ResourceRequirements */
export interface ResourceRequirements {
  limits?: Record<string, string>;
  requests?: Record<string, string>;
  claims?: ResourceClaim[];
}

/** io.k8s.api.core.v1.ResourceStatus */
export interface ResourceStatus {
  name?: string;
  resources?: ResourceHealth[];
}

/** io.k8s.api.core.v1.SELinuxOptions */
export interface SELinuxOptions {
  user?: string;
  role?: string;
  type?: string;
  level?: string;
}

/** io.k8s.api.core.v1.ScaleIOPersistentVolumeSource */
export interface ScaleIOPersistentVolumeSource {
  gateway?: string;
  system?: string;
  secretRef?: SecretReference | null;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.ScaleIOVolumeSource */
export interface ScaleIOVolumeSource {
  gateway?: string;
  system?: string;
  secretRef?: LocalObjectReference | null;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}

/** io.k8s.api.core.v1.ScopeSelector */
export interface ScopeSelector {
  matchExpressions?: ScopedResourceSelectorRequirement[];
}

/** io.k8s.api.core.v1.ScopedResourceSelectorRequirement */
export interface ScopedResourceSelectorRequirement {
  scopeName?: string;
  operator?: string;
  values?: string[];
}

/** io.k8s.api.core.v1.SeccompProfile */
export interface SeccompProfile {
  type?: string;
  localhostProfile?: string;
}

/** io.k8s.api.core.v1.Secret */
export interface Secret {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  type?: string;
}

/** io.k8s.api.core.v1.SecretEnvSource */
export interface SecretEnvSource {
  name?: string;
  optional?: boolean;
}

/** io.k8s.api.core.v1.SecretKeySelector */
export interface SecretKeySelector {
  name?: string;
  key?: string;
  optional?: boolean;
}

/** io.k8s.api.core.v1.SecretList */
export interface SecretList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Secret[] | null;
}

/** io.k8s.api.core.v1.SecretProjection */
export interface SecretProjection {
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
}

/** io.k8s.api.core.v1.SecretReference */
export interface SecretReference {
  name?: string;
  namespace?: string;
}

/** io.k8s.api.core.v1.SecretVolumeSource */
export interface SecretVolumeSource {
  secretName?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
}

/** io.k8s.api.core.v1.SecurityContext */
export interface SecurityContext {
  capabilities?: Capabilities;
  privileged?: boolean;
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: string;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
}

/** io.k8s.api.core.v1.Service */
export interface Service {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ServiceSpec;
  status?: ServiceStatus;
}

/** io.k8s.api.core.v1.ServiceAccount */
export interface ServiceAccount {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  secrets?: ObjectReference[];
  imagePullSecrets?: LocalObjectReference[];
  automountServiceAccountToken?: boolean;
}

/** io.k8s.api.core.v1.ServiceAccountList */
export interface ServiceAccountList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ServiceAccount[] | null;
}

/** io.k8s.api.core.v1.ServiceAccountTokenProjection */
export interface ServiceAccountTokenProjection {
  audience?: string;
  expirationSeconds?: number;
  path?: string;
}

/** io.k8s.api.core.v1.ServiceList */
export interface ServiceList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Service[] | null;
}

/** io.k8s.api.core.v1.ServicePort */
export interface ServicePort {
  name?: string;
  protocol?: string;
  appProtocol?: string;
  port?: number;
  targetPort?: number | string;
  nodePort?: number;
}

/** io.k8s.api.core.v1.ServiceSpec */
export interface ServiceSpec {
  ports?: ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  type?: string;
  externalIPs?: string[];
  sessionAffinity?: string;
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  externalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: SessionAffinityConfig;
  ipFamilies?: string[];
  ipFamilyPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: string;
  trafficDistribution?: string;
}

/** io.k8s.api.core.v1.ServiceStatus */
export interface ServiceStatus {
  loadBalancer?: LoadBalancerStatus;
  conditions?: Condition[];
}

/** io.k8s.api.core.v1.SessionAffinityConfig */
export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig;
}

/** io.k8s.api.core.v1.SleepAction */
export interface SleepAction {
  seconds?: number;
}

/** io.k8s.api.core.v1.StorageOSPersistentVolumeSource */
export interface StorageOSPersistentVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: ObjectReference;
}

/** io.k8s.api.core.v1.StorageOSVolumeSource */
export interface StorageOSVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}

/** io.k8s.api.core.v1.Sysctl */
export interface Sysctl {
  name?: string;
  value?: string;
}

/** io.k8s.api.core.v1.TCPSocketAction */
export interface TCPSocketAction {
  port?: number | string;
  host?: string;
}

/** io.k8s.api.core.v1.Taint */
export interface Taint {
  key?: string;
  value?: string;
  effect?: string;
  timeAdded?: string;
}

/** io.k8s.api.core.v1.Toleration */
export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

/** io.k8s.api.core.v1.TopologySpreadConstraint */
export interface TopologySpreadConstraint {
  maxSkew?: number;
  topologyKey?: string;
  whenUnsatisfiable?: string;
  labelSelector?: LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
}

/** io.k8s.api.core.v1.TypedLocalObjectReference */
export interface TypedLocalObjectReference {
  apiGroup?: string | null;
  kind?: string;
  name?: string;
}

/** io.k8s.api.core.v1.TypedObjectReference */
export interface TypedObjectReference {
  apiGroup?: string | null;
  kind?: string;
  name?: string;
  namespace?: string;
}

/** io.k8s.api.core.v1.Volume */
export interface Volume {
  name?: string;
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
}

/** io.k8s.api.core.v1.VolumeDevice */
export interface VolumeDevice {
  name?: string;
  devicePath?: string;
}

/** io.k8s.api.core.v1.VolumeMount */
export interface VolumeMount {
  name?: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath?: string;
  subPath?: string;
  mountPropagation?: string;
  subPathExpr?: string;
}

/** io.k8s.api.core.v1.VolumeMountStatus */
export interface VolumeMountStatus {
  name?: string;
  mountPath?: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  volumeStatus?: VolumeStatus;
}

/** io.k8s.api.core.v1.VolumeNodeAffinity */
export interface VolumeNodeAffinity {
  required?: NodeSelector;
}

/** io.k8s.api.core.v1.VolumeProjection */
export interface VolumeProjection {
  secret?: SecretProjection;
  downwardAPI?: DownwardAPIProjection;
  configMap?: ConfigMapProjection;
  serviceAccountToken?: ServiceAccountTokenProjection;
  clusterTrustBundle?: ClusterTrustBundleProjection;
  podCertificate?: PodCertificateProjection;
}

/** io.k8s.api.core.v1.VolumeResourceRequirements */
export interface VolumeResourceRequirements {
  limits?: Record<string, string>;
  requests?: Record<string, string>;
}

/** io.k8s.api.core.v1.VolumeStatus */
export interface VolumeStatus {
  image?: ImageVolumeStatus;
}

/** io.k8s.api.core.v1.VsphereVirtualDiskVolumeSource */
export interface VsphereVirtualDiskVolumeSource {
  volumePath?: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
}

/** io.k8s.api.core.v1.WeightedPodAffinityTerm */
export interface WeightedPodAffinityTerm {
  weight?: number;
  podAffinityTerm?: PodAffinityTerm;
}

/** io.k8s.api.core.v1.WindowsSecurityContextOptions */
export interface WindowsSecurityContextOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}

/** io.k8s.api.core.v1.TopologySelectorLabelRequirement */
export interface TopologySelectorLabelRequirement {
  key?: string;
  values?: string[] | null;
}

/** io.k8s.api.core.v1.TopologySelectorTerm */
export interface TopologySelectorTerm {
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
}

/** io.k8s.api.autoscaling.v2.ContainerResourceMetricSource */
export interface ContainerResourceMetricSource {
  name?: string;
  target?: MetricTarget;
  container?: string;
}

/** io.k8s.api.autoscaling.v2.ContainerResourceMetricStatus */
export interface ContainerResourceMetricStatus {
  name?: string;
  current?: MetricValueStatus;
  container?: string;
}

/** io.k8s.api.autoscaling.v2.CrossVersionObjectReference */
export interface CrossVersionObjectReference {
  kind?: string;
  name?: string;
  apiVersion?: string;
}

/** io.k8s.api.autoscaling.v2.ExternalMetricSource */
export interface ExternalMetricSource {
  metric?: MetricIdentifier;
  target?: MetricTarget;
}

/** io.k8s.api.autoscaling.v2.ExternalMetricStatus */
export interface ExternalMetricStatus {
  metric?: MetricIdentifier;
  current?: MetricValueStatus;
}

/** io.k8s.api.autoscaling.v2.HPAScalingPolicy */
export interface HPAScalingPolicy {
  type?: string;
  value?: number;
  periodSeconds?: number;
}

/** io.k8s.api.autoscaling.v2.HPAScalingRules */
export interface HPAScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: HPAScalingPolicy[];
  tolerance?: string;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler */
export interface HorizontalPodAutoscaler {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior */
export interface HorizontalPodAutoscalerBehavior {
  scaleUp?: HPAScalingRules;
  scaleDown?: HPAScalingRules;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerCondition */
export interface HorizontalPodAutoscalerCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerList */
export interface HorizontalPodAutoscalerList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: HorizontalPodAutoscaler[] | null;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec */
export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef?: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas?: number;
  metrics?: MetricSpec[];
  behavior?: HorizontalPodAutoscalerBehavior;
}

/** io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerStatus */
export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas?: number;
  currentMetrics?: MetricStatus[] | null;
  conditions?: HorizontalPodAutoscalerCondition[];
}

/** io.k8s.api.autoscaling.v2.MetricIdentifier */
export interface MetricIdentifier {
  name?: string;
  selector?: LabelSelector;
}

/** io.k8s.api.autoscaling.v2.MetricSpec */
export interface MetricSpec {
  type?: string;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
}

/** io.k8s.api.autoscaling.v2.MetricStatus */
export interface MetricStatus {
  type?: string;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
}

/** io.k8s.api.autoscaling.v2.MetricTarget */
export interface MetricTarget {
  type?: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

/** io.k8s.api.autoscaling.v2.MetricValueStatus */
export interface MetricValueStatus {
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

/** io.k8s.api.autoscaling.v2.ObjectMetricSource */
export interface ObjectMetricSource {
  describedObject?: CrossVersionObjectReference;
  target?: MetricTarget;
  metric?: MetricIdentifier;
}

/** io.k8s.api.autoscaling.v2.ObjectMetricStatus */
export interface ObjectMetricStatus {
  metric?: MetricIdentifier;
  current?: MetricValueStatus;
  describedObject?: CrossVersionObjectReference;
}

/** io.k8s.api.autoscaling.v2.PodsMetricSource */
export interface PodsMetricSource {
  metric?: MetricIdentifier;
  target?: MetricTarget;
}

/** io.k8s.api.autoscaling.v2.PodsMetricStatus */
export interface PodsMetricStatus {
  metric?: MetricIdentifier;
  current?: MetricValueStatus;
}

/** io.k8s.api.autoscaling.v2.ResourceMetricSource */
export interface ResourceMetricSource {
  name?: string;
  target?: MetricTarget;
}

/** io.k8s.api.autoscaling.v2.ResourceMetricStatus */
export interface ResourceMetricStatus {
  name?: string;
  current?: MetricValueStatus;
}

/** io.k8s.api.apps.v1.ControllerRevision */
export interface ControllerRevision {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  data?: JsonObject;
  revision?: number;
}

/** io.k8s.api.apps.v1.ControllerRevisionList */
export interface ControllerRevisionList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ControllerRevision[] | null;
}

/** io.k8s.api.apps.v1.DaemonSet */
export interface DaemonSet {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: DaemonSetSpec;
  status?: DaemonSetStatus;
}

/** io.k8s.api.apps.v1.DaemonSetCondition */
export interface DaemonSetCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.apps.v1.DaemonSetList */
export interface DaemonSetList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: DaemonSet[] | null;
}

/** io.k8s.api.apps.v1.DaemonSetSpec */
export interface DaemonSetSpec {
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}

/** io.k8s.api.apps.v1.DaemonSetStatus */
export interface DaemonSetStatus {
  currentNumberScheduled?: number;
  numberMisscheduled?: number;
  desiredNumberScheduled?: number;
  numberReady?: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: DaemonSetCondition[];
}

/** io.k8s.api.apps.v1.DaemonSetUpdateStrategy */
export interface DaemonSetUpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateDaemonSet;
}

/** io.k8s.api.apps.v1.Deployment */
export interface Deployment {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: DeploymentSpec;
  status?: DeploymentStatus;
}

/** io.k8s.api.apps.v1.DeploymentCondition */
export interface DeploymentCondition {
  type?: string;
  status?: string;
  lastUpdateTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.apps.v1.DeploymentList */
export interface DeploymentList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Deployment[] | null;
}

/** io.k8s.api.apps.v1.DeploymentSpec */
export interface DeploymentSpec {
  replicas?: number;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  strategy?: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
  progressDeadlineSeconds?: number;
}

/** io.k8s.api.apps.v1.DeploymentStatus */
export interface DeploymentStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  conditions?: DeploymentCondition[];
  collisionCount?: number;
}

/** io.k8s.api.apps.v1.DeploymentStrategy */
export interface DeploymentStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateDeployment;
}

/** io.k8s.api.apps.v1.ReplicaSet */
export interface ReplicaSet {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ReplicaSetSpec;
  status?: ReplicaSetStatus;
}

/** io.k8s.api.apps.v1.ReplicaSetCondition */
export interface ReplicaSetCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.apps.v1.ReplicaSetList */
export interface ReplicaSetList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ReplicaSet[] | null;
}

/** io.k8s.api.apps.v1.ReplicaSetSpec */
export interface ReplicaSetSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
}

/** io.k8s.api.apps.v1.ReplicaSetStatus */
export interface ReplicaSetStatus {
  replicas?: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  conditions?: ReplicaSetCondition[];
}

/** io.k8s.api.apps.v1.RollingUpdateDaemonSet */
export interface RollingUpdateDaemonSet {
  maxUnavailable?: number | string;
  maxSurge?: number | string;
}

/** io.k8s.api.apps.v1.RollingUpdateDeployment */
export interface RollingUpdateDeployment {
  maxUnavailable?: number | string;
  maxSurge?: number | string;
}

/** io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy */
export interface RollingUpdateStatefulSetStrategy {
  partition?: number;
  maxUnavailable?: number | string;
}

/** io.k8s.api.apps.v1.StatefulSet */
export interface StatefulSet {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: StatefulSetSpec;
  status?: StatefulSetStatus;
}

/** io.k8s.api.apps.v1.StatefulSetCondition */
export interface StatefulSetCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.apps.v1.StatefulSetList */
export interface StatefulSetList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: StatefulSet[] | null;
}

/** io.k8s.api.apps.v1.StatefulSetOrdinals */
export interface StatefulSetOrdinals {
  start?: number;
}

/** io.k8s.api.apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy */
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}

/** io.k8s.api.apps.v1.StatefulSetSpec */
export interface StatefulSetSpec {
  replicas?: number;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  volumeClaimTemplates?: PersistentVolumeClaim[];
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  ordinals?: StatefulSetOrdinals;
}

/** io.k8s.api.apps.v1.StatefulSetStatus */
export interface StatefulSetStatus {
  observedGeneration?: number;
  replicas?: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: StatefulSetCondition[];
  availableReplicas?: number;
}

/** io.k8s.api.apps.v1.StatefulSetUpdateStrategy */
export interface StatefulSetUpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}

/** io.k8s.api.batch.v1.CronJob */
export interface CronJob {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: CronJobSpec;
  status?: CronJobStatus;
}

/** io.k8s.api.batch.v1.CronJobList */
export interface CronJobList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: CronJob[] | null;
}

/** io.k8s.api.batch.v1.CronJobSpec */
export interface CronJobSpec {
  schedule?: string;
  timeZone?: string;
  startingDeadlineSeconds?: number;
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate?: JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
}

/** io.k8s.api.batch.v1.CronJobStatus */
export interface CronJobStatus {
  active?: ObjectReference[];
  lastScheduleTime?: string;
  lastSuccessfulTime?: string;
}

/** io.k8s.api.batch.v1.Job */
export interface Job {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: JobSpec;
  status?: JobStatus;
}

/** io.k8s.api.batch.v1.JobCondition */
export interface JobCondition {
  type?: string;
  status?: string;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.batch.v1.JobList */
export interface JobList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Job[] | null;
}

/** io.k8s.api.batch.v1.JobSpec */
export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: LabelSelector;
  manualSelector?: boolean;
  template?: PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
  completionMode?: string;
  suspend?: boolean;
  podReplacementPolicy?: string;
  managedBy?: string;
}

/** io.k8s.api.batch.v1.JobStatus */
export interface JobStatus {
  conditions?: JobCondition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedTerminatedPods;
  ready?: number;
}

/** io.k8s.api.batch.v1.JobTemplateSpec */
export interface JobTemplateSpec {
  metadata?: ObjectMeta;
  spec?: JobSpec;
}

/** io.k8s.api.batch.v1.PodFailurePolicy */
export interface PodFailurePolicy {
  rules?: PodFailurePolicyRule[] | null;
}

/** io.k8s.api.batch.v1.PodFailurePolicyOnExitCodesRequirement */
export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string;
  operator?: string;
  values?: number[] | null;
}

/** io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern */
export interface PodFailurePolicyOnPodConditionsPattern {
  type?: string;
  status?: string;
}

/** io.k8s.api.batch.v1.PodFailurePolicyRule */
export interface PodFailurePolicyRule {
  action?: string;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
}

/** io.k8s.api.batch.v1.SuccessPolicy */
export interface SuccessPolicy {
  rules?: SuccessPolicyRule[] | null;
}

/** io.k8s.api.batch.v1.SuccessPolicyRule */
export interface SuccessPolicyRule {
  succeededIndexes?: string;
  succeededCount?: number;
}

/** io.k8s.api.batch.v1.UncountedTerminatedPods */
export interface UncountedTerminatedPods {
  succeeded?: string[];
  failed?: string[];
}

/** io.k8s.api.networking.v1.HTTPIngressPath */
export interface HTTPIngressPath {
  path?: string;
  pathType?: string | null;
  backend?: IngressBackend;
}

/** io.k8s.api.networking.v1.HTTPIngressRuleValue */
export interface HTTPIngressRuleValue {
  paths?: HTTPIngressPath[] | null;
}

/** io.k8s.api.networking.v1.IPAddress */
export interface IPAddress {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: IPAddressSpec;
}

/** io.k8s.api.networking.v1.IPAddressList */
export interface IPAddressList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: IPAddress[] | null;
}

/** io.k8s.api.networking.v1.IPAddressSpec */
export interface IPAddressSpec {
  parentRef?: ParentReference;
}

/** io.k8s.api.networking.v1.IPBlock */
export interface IPBlock {
  cidr?: string;
  except?: string[];
}

/** io.k8s.api.networking.v1.Ingress */
export interface Ingress {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: IngressSpec;
  status?: IngressStatus;
}

/** io.k8s.api.networking.v1.IngressBackend */
export interface IngressBackend {
  service?: IngressServiceBackend;
  resource?: TypedLocalObjectReference;
}

/** io.k8s.api.networking.v1.IngressClass */
export interface IngressClass {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: IngressClassSpec;
}

/** io.k8s.api.networking.v1.IngressClassList */
export interface IngressClassList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: IngressClass[] | null;
}

/** io.k8s.api.networking.v1.IngressClassParametersReference */
export interface IngressClassParametersReference {
  apiGroup?: string;
  kind?: string;
  name?: string;
  scope?: string | null;
  namespace?: string;
}

/** io.k8s.api.networking.v1.IngressClassSpec */
export interface IngressClassSpec {
  controller?: string;
  parameters?: IngressClassParametersReference;
}

/** io.k8s.api.networking.v1.IngressList */
export interface IngressList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Ingress[] | null;
}

/** io.k8s.api.networking.v1.IngressLoadBalancerIngress */
export interface IngressLoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ports?: IngressPortStatus[];
}

/** io.k8s.api.networking.v1.IngressLoadBalancerStatus */
export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[];
}

/** io.k8s.api.networking.v1.IngressPortStatus */
export interface IngressPortStatus {
  port?: number;
  protocol?: string;
  error?: string;
}

/** io.k8s.api.networking.v1.IngressRule */
export interface IngressRule {
  host?: string;
  http?: HTTPIngressRuleValue;
}

/** io.k8s.api.networking.v1.IngressServiceBackend */
export interface IngressServiceBackend {
  name?: string;
  port?: ServiceBackendPort;
}

/** io.k8s.api.networking.v1.IngressSpec */
export interface IngressSpec {
  ingressClassName?: string;
  defaultBackend?: IngressBackend;
  tls?: IngressTLS[];
  rules?: IngressRule[];
}

/** io.k8s.api.networking.v1.IngressStatus */
export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus;
}

/** io.k8s.api.networking.v1.IngressTLS */
export interface IngressTLS {
  hosts?: string[];
  secretName?: string;
}

/** io.k8s.api.networking.v1.NetworkPolicy */
export interface NetworkPolicy {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: NetworkPolicySpec;
}

/** io.k8s.api.networking.v1.NetworkPolicyEgressRule */
export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[];
  to?: NetworkPolicyPeer[];
}

/** io.k8s.api.networking.v1.NetworkPolicyIngressRule */
export interface NetworkPolicyIngressRule {
  ports?: NetworkPolicyPort[];
  from?: NetworkPolicyPeer[];
}

/** io.k8s.api.networking.v1.NetworkPolicyList */
export interface NetworkPolicyList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: NetworkPolicy[] | null;
}

/** io.k8s.api.networking.v1.NetworkPolicyPeer */
export interface NetworkPolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: IPBlock;
}

/** io.k8s.api.networking.v1.NetworkPolicyPort */
export interface NetworkPolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}

/** io.k8s.api.networking.v1.NetworkPolicySpec */
export interface NetworkPolicySpec {
  podSelector?: LabelSelector;
  ingress?: NetworkPolicyIngressRule[];
  egress?: NetworkPolicyEgressRule[];
  policyTypes?: string[];
}

/** io.k8s.api.networking.v1.ParentReference */
export interface ParentReference {
  group?: string;
  resource?: string;
  namespace?: string;
  name?: string;
}

/** io.k8s.api.networking.v1.ServiceBackendPort */
export interface ServiceBackendPort {
  name?: string;
  number?: number;
}

/** io.k8s.api.networking.v1.ServiceCIDR */
export interface ServiceCIDR {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ServiceCIDRSpec;
  status?: ServiceCIDRStatus;
}

/** io.k8s.api.networking.v1.ServiceCIDRList */
export interface ServiceCIDRList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ServiceCIDR[] | null;
}

/** io.k8s.api.networking.v1.ServiceCIDRSpec */
export interface ServiceCIDRSpec {
  cidrs?: string[];
}

/** io.k8s.api.networking.v1.ServiceCIDRStatus */
export interface ServiceCIDRStatus {
  conditions?: Condition[];
}

/** io.k8s.api.authentication.v1.BoundObjectReference */
export interface BoundObjectReference {
  kind?: string;
  apiVersion?: string;
  name?: string;
  uid?: string;
}

/** io.k8s.api.authentication.v1.TokenRequest */
export interface TokenRequest {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: TokenRequestSpec;
  status?: TokenRequestStatus;
}

/** io.k8s.api.authentication.v1.TokenRequestSpec */
export interface TokenRequestSpec {
  audiences?: string[] | null;
  expirationSeconds?: number | null;
  boundObjectRef?: BoundObjectReference | null;
}

/** io.k8s.api.authentication.v1.TokenRequestStatus */
export interface TokenRequestStatus {
  token?: string;
  expirationTimestamp?: string | null;
}

/** io.k8s.api.autoscaling.v1.Scale */
export interface Scale {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ScaleSpec;
  status?: ScaleStatus;
}

/** io.k8s.api.autoscaling.v1.ScaleSpec */
export interface ScaleSpec {
  replicas?: number;
}

/** io.k8s.api.autoscaling.v1.ScaleStatus */
export interface ScaleStatus {
  replicas?: number;
  selector?: string;
}

/** io.k8s.api.policy.v1.Eviction */
export interface Eviction {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  deleteOptions?: DeleteOptions;
}

/** io.k8s.api.admissionregistration.v1.ApplyConfiguration */
export interface ApplyConfiguration {
  expression?: string;
}

/** io.k8s.api.admissionregistration.v1.AuditAnnotation */
export interface AuditAnnotation {
  key?: string;
  valueExpression?: string;
}

/** io.k8s.api.admissionregistration.v1.ExpressionWarning */
export interface ExpressionWarning {
  fieldRef?: string;
  warning?: string;
}

/** io.k8s.api.admissionregistration.v1.JSONPatch */
export interface JSONPatch {
  expression?: string;
}

/** io.k8s.api.admissionregistration.v1.MatchCondition */
export interface MatchCondition {
  name?: string;
  expression?: string;
}

/** io.k8s.api.admissionregistration.v1.MatchResources */
export interface MatchResources {
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: string;
}

/** io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicy */
export interface MutatingAdmissionPolicy {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: MutatingAdmissionPolicySpec;
}

/** io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBinding */
export interface MutatingAdmissionPolicyBinding {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: MutatingAdmissionPolicyBindingSpec;
}

/** io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBindingList */
export interface MutatingAdmissionPolicyBindingList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: MutatingAdmissionPolicyBinding[] | null;
}

/** io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBindingSpec */
export interface MutatingAdmissionPolicyBindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
}

/** io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyList */
export interface MutatingAdmissionPolicyList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: MutatingAdmissionPolicy[] | null;
}

/** io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicySpec */
export interface MutatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  variables?: Variable[];
  mutations?: Mutation[];
  failurePolicy?: string;
  matchConditions?: MatchCondition[];
  reinvocationPolicy?: string;
}

/** io.k8s.api.admissionregistration.v1.MutatingWebhook */
export interface MutatingWebhook {
  name?: string;
  clientConfig?: WebhookClientConfig;
  rules?: RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects?: string | null;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[] | null;
  reinvocationPolicy?: string;
  matchConditions?: MatchCondition[];
}

/** io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration */
export interface MutatingWebhookConfiguration {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  webhooks?: MutatingWebhook[];
}

/** io.k8s.api.admissionregistration.v1.MutatingWebhookConfigurationList */
export interface MutatingWebhookConfigurationList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: MutatingWebhookConfiguration[] | null;
}

/** io.k8s.api.admissionregistration.v1.Mutation */
export interface Mutation {
  patchType?: string;
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
}

/** io.k8s.api.admissionregistration.v1.NamedRuleWithOperations */
export interface NamedRuleWithOperations {
  resourceNames?: string[];
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

/** io.k8s.api.admissionregistration.v1.ParamKind */
export interface ParamKind {
  apiVersion?: string;
  kind?: string;
}

/** io.k8s.api.admissionregistration.v1.ParamRef */
export interface ParamRef {
  name?: string;
  namespace?: string;
  selector?: LabelSelector;
  parameterNotFoundAction?: string;
}

/** io.k8s.api.admissionregistration.v1.RuleWithOperations */
export interface RuleWithOperations {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

/** io.k8s.api.admissionregistration.v1.ServiceReference */
export interface ServiceReference {
  namespace?: string;
  name?: string;
  path?: string;
  port?: number;
}

/** io.k8s.api.admissionregistration.v1.TypeChecking */
export interface TypeChecking {
  expressionWarnings?: ExpressionWarning[];
}

/** io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy */
export interface ValidatingAdmissionPolicy {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ValidatingAdmissionPolicySpec;
  status?: ValidatingAdmissionPolicyStatus;
}

/** io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding */
export interface ValidatingAdmissionPolicyBinding {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ValidatingAdmissionPolicyBindingSpec;
}

/** io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBindingList */
export interface ValidatingAdmissionPolicyBindingList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ValidatingAdmissionPolicyBinding[] | null;
}

/** io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec */
export interface ValidatingAdmissionPolicyBindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions?: string[];
}

/** io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyList */
export interface ValidatingAdmissionPolicyList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ValidatingAdmissionPolicy[] | null;
}

/** io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicySpec */
export interface ValidatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  validations?: Validation[];
  failurePolicy?: string;
  auditAnnotations?: AuditAnnotation[];
  matchConditions?: MatchCondition[];
  variables?: Variable[];
}

/** io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyStatus */
export interface ValidatingAdmissionPolicyStatus {
  observedGeneration?: number;
  typeChecking?: TypeChecking;
  conditions?: Condition[];
}

/** io.k8s.api.admissionregistration.v1.ValidatingWebhook */
export interface ValidatingWebhook {
  name?: string;
  clientConfig?: WebhookClientConfig;
  rules?: RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects?: string | null;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[] | null;
  matchConditions?: MatchCondition[];
}

/** io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration */
export interface ValidatingWebhookConfiguration {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  webhooks?: ValidatingWebhook[];
}

/** io.k8s.api.admissionregistration.v1.ValidatingWebhookConfigurationList */
export interface ValidatingWebhookConfigurationList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ValidatingWebhookConfiguration[] | null;
}

/** io.k8s.api.admissionregistration.v1.Validation */
export interface Validation {
  expression?: string;
  message?: string;
  reason?: string;
  messageExpression?: string;
}

/** io.k8s.api.admissionregistration.v1.Variable */
export interface Variable {
  name?: string;
  expression?: string;
}

/** io.k8s.api.admissionregistration.v1.WebhookClientConfig */
export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: string;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceColumnDefinition */
export interface CustomResourceColumnDefinition {
  name?: string;
  type?: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath?: string;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceConversion */
export interface CustomResourceConversion {
  strategy?: string;
  webhook?: WebhookConversion;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition */
export interface CustomResourceDefinition {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: CustomResourceDefinitionSpec;
  status?: CustomResourceDefinitionStatus;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionCondition */
export interface CustomResourceDefinitionCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionList */
export interface CustomResourceDefinitionList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: CustomResourceDefinition[] | null;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionNames */
export interface CustomResourceDefinitionNames {
  plural?: string;
  singular?: string;
  shortNames?: string[];
  kind?: string;
  listKind?: string;
  categories?: string[];
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec */
export interface CustomResourceDefinitionSpec {
  group?: string;
  names?: CustomResourceDefinitionNames;
  scope?: string;
  versions?: CustomResourceDefinitionVersion[] | null;
  conversion?: CustomResourceConversion;
  preserveUnknownFields?: boolean;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionStatus */
export interface CustomResourceDefinitionStatus {
  conditions?: CustomResourceDefinitionCondition[] | null;
  acceptedNames?: CustomResourceDefinitionNames;
  storedVersions?: string[] | null;
  observedGeneration?: number;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion */
export interface CustomResourceDefinitionVersion {
  name?: string;
  served?: boolean;
  storage?: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceScale */
export interface CustomResourceSubresourceScale {
  specReplicasPath?: string;
  statusReplicasPath?: string;
  labelSelectorPath?: string;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus */
export interface CustomResourceSubresourceStatus {
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresources */
export interface CustomResourceSubresources {
  status?: CustomResourceSubresourceStatus;
  scale?: CustomResourceSubresourceScale;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceValidation */
export interface CustomResourceValidation {
  openAPIV3Schema?: JSONSchemaProps;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ExternalDocumentation */
export interface ExternalDocumentation {
  description?: string;
  url?: string;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps */
export interface JSONSchemaProps {
  id?: string;
  "$schema"?: string;
  "$ref"?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: Json;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: Json[];
  maxProperties?: number;
  minProperties?: number;
  required?: string[];
  items?: Json;
  allOf?: JSONSchemaProps[];
  oneOf?: JSONSchemaProps[];
  anyOf?: JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: Record<string, JSONSchemaProps>;
  additionalProperties?: Json;
  patternProperties?: Record<string, JSONSchemaProps>;
  dependencies?: Record<string, Json>;
  additionalItems?: Json;
  definitions?: Record<string, JSONSchemaProps>;
  externalDocs?: ExternalDocumentation;
  example?: Json;
  nullable?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-validations"?: ValidationRule[];
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.SelectableField */
export interface SelectableField {
  jsonPath?: string;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference */
export interface ApiextensionsV1ServiceReference {
  namespace?: string;
  name?: string;
  path?: string;
  port?: number;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule */
export interface ValidationRule {
  rule?: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookClientConfig */
export interface ApiextensionsV1WebhookClientConfig {
  url?: string;
  service?: ApiextensionsV1ServiceReference;
  caBundle?: string;
}

/** io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookConversion */
export interface WebhookConversion {
  clientConfig?: ApiextensionsV1WebhookClientConfig;
  conversionReviewVersions?: string[] | null;
}

/** io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService */
export interface APIService {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: APIServiceSpec;
  status?: APIServiceStatus;
}

/** io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceCondition */
export interface APIServiceCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceList */
export interface APIServiceList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: APIService[] | null;
}

/** io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec */
export interface APIServiceSpec {
  service?: ApiregistrationV1ServiceReference;
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  caBundle?: string;
  groupPriorityMinimum?: number;
  versionPriority?: number;
}

/** io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceStatus */
export interface APIServiceStatus {
  conditions?: APIServiceCondition[];
}

/** io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference */
export interface ApiregistrationV1ServiceReference {
  namespace?: string;
  name?: string;
  port?: number;
}

/** io.k8s.api.authentication.v1.SelfSubjectReview */
export interface SelfSubjectReview {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  status?: SelfSubjectReviewStatus;
}

/** io.k8s.api.authentication.v1.SelfSubjectReviewStatus */
export interface SelfSubjectReviewStatus {
  userInfo?: UserInfo;
}

/** io.k8s.api.authentication.v1.TokenReview */
export interface TokenReview {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: TokenReviewSpec;
  status?: TokenReviewStatus;
}

/** io.k8s.api.authentication.v1.TokenReviewSpec */
export interface TokenReviewSpec {
  token?: string;
  audiences?: string[];
}

/** io.k8s.api.authentication.v1.TokenReviewStatus */
export interface TokenReviewStatus {
  authenticated?: boolean;
  user?: UserInfo;
  audiences?: string[];
  error?: string;
}

/** io.k8s.api.authentication.v1.UserInfo */
export interface UserInfo {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

/** io.k8s.api.authorization.v1.FieldSelectorAttributes */
export interface FieldSelectorAttributes {
  rawSelector?: string;
  requirements?: FieldSelectorRequirement[];
}

/** io.k8s.api.authorization.v1.LabelSelectorAttributes */
export interface LabelSelectorAttributes {
  rawSelector?: string;
  requirements?: LabelSelectorRequirement[];
}

/** io.k8s.api.authorization.v1.LocalSubjectAccessReview */
export interface LocalSubjectAccessReview {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}

/** io.k8s.api.authorization.v1.NonResourceAttributes */
export interface NonResourceAttributes {
  path?: string;
  verb?: string;
}

/** io.k8s.api.authorization.v1.NonResourceRule */
export interface NonResourceRule {
  verbs?: string[] | null;
  nonResourceURLs?: string[];
}

/** io.k8s.api.authorization.v1.ResourceAttributes */
export interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: FieldSelectorAttributes;
  labelSelector?: LabelSelectorAttributes;
}

/** io.k8s.api.authorization.v1.ResourceRule */
export interface ResourceRule {
  verbs?: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
}

/** io.k8s.api.authorization.v1.SelfSubjectAccessReview */
export interface SelfSubjectAccessReview {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: SelfSubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}

/** io.k8s.api.authorization.v1.SelfSubjectAccessReviewSpec */
export interface SelfSubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}

/** io.k8s.api.authorization.v1.SelfSubjectRulesReview */
export interface SelfSubjectRulesReview {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: SelfSubjectRulesReviewSpec;
  status?: SubjectRulesReviewStatus;
}

/** io.k8s.api.authorization.v1.SelfSubjectRulesReviewSpec */
export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}

/** io.k8s.api.authorization.v1.SubjectAccessReview */
export interface SubjectAccessReview {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}

/** io.k8s.api.authorization.v1.SubjectAccessReviewSpec */
export interface SubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  uid?: string;
}

/** io.k8s.api.authorization.v1.SubjectAccessReviewStatus */
export interface SubjectAccessReviewStatus {
  allowed?: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
}

/** io.k8s.api.authorization.v1.SubjectRulesReviewStatus */
export interface SubjectRulesReviewStatus {
  resourceRules?: ResourceRule[] | null;
  nonResourceRules?: NonResourceRule[] | null;
  incomplete?: boolean;
  evaluationError?: string;
}

/** io.k8s.api.autoscaling.v1.CrossVersionObjectReference */
export interface AutoscalingV1CrossVersionObjectReference {
  kind?: string;
  name?: string;
  apiVersion?: string;
}

/** io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler */
export interface AutoscalingV1HorizontalPodAutoscaler {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: AutoscalingV1HorizontalPodAutoscalerSpec;
  status?: AutoscalingV1HorizontalPodAutoscalerStatus;
}

/** io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerList */
export interface AutoscalingV1HorizontalPodAutoscalerList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: AutoscalingV1HorizontalPodAutoscaler[] | null;
}

/** io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerSpec */
export interface AutoscalingV1HorizontalPodAutoscalerSpec {
  scaleTargetRef?: AutoscalingV1CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas?: number;
  targetCPUUtilizationPercentage?: number;
}

/** io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerStatus */
export interface AutoscalingV1HorizontalPodAutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas?: number;
  currentCPUUtilizationPercentage?: number;
}

/** io.k8s.api.certificates.v1.CertificateSigningRequest */
export interface CertificateSigningRequest {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: CertificateSigningRequestSpec;
  status?: CertificateSigningRequestStatus;
}

/** io.k8s.api.certificates.v1.CertificateSigningRequestCondition */
export interface CertificateSigningRequestCondition {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
  lastUpdateTime?: string;
  lastTransitionTime?: string;
}

/** io.k8s.api.certificates.v1.CertificateSigningRequestList */
export interface CertificateSigningRequestList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: CertificateSigningRequest[] | null;
}

/** io.k8s.api.certificates.v1.CertificateSigningRequestSpec */
export interface CertificateSigningRequestSpec {
  request?: string | null;
  signerName?: string;
  expirationSeconds?: number;
  usages?: string[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

/** io.k8s.api.certificates.v1.CertificateSigningRequestStatus */
export interface CertificateSigningRequestStatus {
  conditions?: CertificateSigningRequestCondition[];
  certificate?: string;
}

/** io.k8s.api.coordination.v1.Lease */
export interface Lease {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: LeaseSpec;
}

/** io.k8s.api.coordination.v1.LeaseList */
export interface LeaseList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Lease[] | null;
}

/** io.k8s.api.coordination.v1.LeaseSpec */
export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
}

/** io.k8s.api.discovery.v1.Endpoint */
export interface Endpoint {
  addresses?: string[] | null;
  conditions?: EndpointConditions;
  hostname?: string;
  targetRef?: ObjectReference;
  deprecatedTopology?: Record<string, string>;
  nodeName?: string;
  zone?: string;
  hints?: EndpointHints;
}

/** io.k8s.api.discovery.v1.EndpointConditions */
export interface EndpointConditions {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
}

/** io.k8s.api.discovery.v1.EndpointHints */
export interface EndpointHints {
  forZones?: ForZone[];
  forNodes?: ForNode[];
}

/** io.k8s.api.discovery.v1.EndpointPort */
export interface DiscoveryV1EndpointPort {
  name?: string;
  protocol?: string;
  port?: number;
  appProtocol?: string;
}

/** io.k8s.api.discovery.v1.EndpointSlice */
export interface EndpointSlice {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  addressType?: string;
  endpoints?: Endpoint[] | null;
  ports?: DiscoveryV1EndpointPort[] | null;
}

/** io.k8s.api.discovery.v1.EndpointSliceList */
export interface EndpointSliceList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: EndpointSlice[] | null;
}

/** io.k8s.api.discovery.v1.ForNode */
export interface ForNode {
  name?: string;
}

/** io.k8s.api.discovery.v1.ForZone */
export interface ForZone {
  name?: string;
}

/** io.k8s.api.events.v1.Event */
export interface EventsV1Event {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  eventTime?: string | null;
  series?: EventsV1EventSeries;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  regarding?: ObjectReference;
  related?: ObjectReference;
  note?: string;
  type?: string;
  deprecatedSource?: EventSource;
  deprecatedFirstTimestamp?: string;
  deprecatedLastTimestamp?: string;
  deprecatedCount?: number;
}

/** io.k8s.api.events.v1.EventList */
export interface EventsV1EventList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: EventsV1Event[] | null;
}

/** io.k8s.api.events.v1.EventSeries */
export interface EventsV1EventSeries {
  count?: number;
  lastObservedTime?: string | null;
}

/** io.k8s.api.flowcontrol.v1.ExemptPriorityLevelConfiguration */
export interface ExemptPriorityLevelConfiguration {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}

/** io.k8s.api.flowcontrol.v1.FlowDistinguisherMethod */
export interface FlowDistinguisherMethod {
  type?: string;
}

/** io.k8s.api.flowcontrol.v1.FlowSchema */
export interface FlowSchema {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: FlowSchemaSpec;
  status?: FlowSchemaStatus;
}

/** io.k8s.api.flowcontrol.v1.FlowSchemaCondition */
export interface FlowSchemaCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.flowcontrol.v1.FlowSchemaList */
export interface FlowSchemaList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: FlowSchema[] | null;
}

/** io.k8s.api.flowcontrol.v1.FlowSchemaSpec */
export interface FlowSchemaSpec {
  priorityLevelConfiguration?: PriorityLevelConfigurationReference;
  matchingPrecedence?: number;
  distinguisherMethod?: FlowDistinguisherMethod;
  rules?: PolicyRulesWithSubjects[];
}

/** io.k8s.api.flowcontrol.v1.FlowSchemaStatus */
export interface FlowSchemaStatus {
  conditions?: FlowSchemaCondition[];
}

/** io.k8s.api.flowcontrol.v1.GroupSubject */
export interface GroupSubject {
  name?: string;
}

/** io.k8s.api.flowcontrol.v1.LimitResponse */
export interface LimitResponse {
  type?: string;
  queuing?: QueuingConfiguration;
}

/** io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration */
export interface LimitedPriorityLevelConfiguration {
  nominalConcurrencyShares?: number | null;
  limitResponse?: LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
}

/** io.k8s.api.flowcontrol.v1.NonResourcePolicyRule */
export interface NonResourcePolicyRule {
  verbs?: string[] | null;
  nonResourceURLs?: string[] | null;
}

/** io.k8s.api.flowcontrol.v1.PolicyRulesWithSubjects */
export interface PolicyRulesWithSubjects {
  subjects?: Subject[] | null;
  resourceRules?: ResourcePolicyRule[];
  nonResourceRules?: NonResourcePolicyRule[];
}

/** io.k8s.api.flowcontrol.v1.PriorityLevelConfiguration */
export interface PriorityLevelConfiguration {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: PriorityLevelConfigurationSpec;
  status?: PriorityLevelConfigurationStatus;
}

/** io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationCondition */
export interface PriorityLevelConfigurationCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationList */
export interface PriorityLevelConfigurationList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: PriorityLevelConfiguration[] | null;
}

/** io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationReference */
export interface PriorityLevelConfigurationReference {
  name?: string;
}

/** io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationSpec */
export interface PriorityLevelConfigurationSpec {
  type?: string;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
}

/** io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationStatus */
export interface PriorityLevelConfigurationStatus {
  conditions?: PriorityLevelConfigurationCondition[];
}

/** io.k8s.api.flowcontrol.v1.QueuingConfiguration */
export interface QueuingConfiguration {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}

/** io.k8s.api.flowcontrol.v1.ResourcePolicyRule */
export interface ResourcePolicyRule {
  verbs?: string[] | null;
  apiGroups?: string[] | null;
  resources?: string[] | null;
  clusterScope?: boolean;
  namespaces?: string[] | null;
}

/** io.k8s.api.flowcontrol.v1.ServiceAccountSubject */
export interface ServiceAccountSubject {
  namespace?: string;
  name?: string;
}

/** io.k8s.api.flowcontrol.v1.Subject */
export interface Subject {
  kind?: string;
  user?: UserSubject;
  group?: GroupSubject;
  serviceAccount?: ServiceAccountSubject;
}

/** io.k8s.api.flowcontrol.v1.UserSubject */
export interface UserSubject {
  name?: string;
}

/** io.k8s.api.node.v1.Overhead */
export interface Overhead {
  podFixed?: Record<string, string>;
}

/** io.k8s.api.node.v1.RuntimeClass */
export interface RuntimeClass {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  handler?: string;
  overhead?: Overhead;
  scheduling?: Scheduling;
}

/** io.k8s.api.node.v1.RuntimeClassList */
export interface RuntimeClassList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: RuntimeClass[] | null;
}

/** io.k8s.api.node.v1.Scheduling */
export interface Scheduling {
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
}

/** io.k8s.api.policy.v1.PodDisruptionBudget */
export interface PodDisruptionBudget {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: PodDisruptionBudgetSpec;
  status?: PodDisruptionBudgetStatus;
}

/** io.k8s.api.policy.v1.PodDisruptionBudgetList */
export interface PodDisruptionBudgetList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: PodDisruptionBudget[] | null;
}

/** io.k8s.api.policy.v1.PodDisruptionBudgetSpec */
export interface PodDisruptionBudgetSpec {
  minAvailable?: number | string;
  selector?: LabelSelector;
  maxUnavailable?: number | string;
  unhealthyPodEvictionPolicy?: string;
}

/** io.k8s.api.policy.v1.PodDisruptionBudgetStatus */
export interface PodDisruptionBudgetStatus {
  observedGeneration?: number;
  disruptedPods?: Record<string, string>;
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  conditions?: Condition[];
}

/** io.k8s.api.rbac.v1.AggregationRule */
export interface AggregationRule {
  clusterRoleSelectors?: LabelSelector[];
}

/** io.k8s.api.rbac.v1.ClusterRole */
export interface ClusterRole {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  rules?: PolicyRule[] | null;
  aggregationRule?: AggregationRule;
}

/** io.k8s.api.rbac.v1.ClusterRoleBinding */
export interface ClusterRoleBinding {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  subjects?: RbacV1Subject[];
  roleRef?: RoleRef;
}

/** io.k8s.api.rbac.v1.ClusterRoleBindingList */
export interface ClusterRoleBindingList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ClusterRoleBinding[] | null;
}

/** io.k8s.api.rbac.v1.ClusterRoleList */
export interface ClusterRoleList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ClusterRole[] | null;
}

/** io.k8s.api.rbac.v1.PolicyRule */
export interface PolicyRule {
  verbs?: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

/** io.k8s.api.rbac.v1.Role */
export interface Role {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  rules?: PolicyRule[] | null;
}

/** io.k8s.api.rbac.v1.RoleBinding */
export interface RoleBinding {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  subjects?: RbacV1Subject[];
  roleRef?: RoleRef;
}

/** io.k8s.api.rbac.v1.RoleBindingList */
export interface RoleBindingList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: RoleBinding[] | null;
}

/** io.k8s.api.rbac.v1.RoleList */
export interface RoleList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: Role[] | null;
}

/** io.k8s.api.rbac.v1.RoleRef */
export interface RoleRef {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

/** io.k8s.api.rbac.v1.Subject */
export interface RbacV1Subject {
  kind?: string;
  apiGroup?: string;
  name?: string;
  namespace?: string;
}

/** io.k8s.api.resource.v1.AllocatedDeviceStatus */
export interface AllocatedDeviceStatus {
  driver?: string;
  pool?: string;
  device?: string;
  shareID?: string;
  conditions?: Condition[] | null;
  data?: JsonObject;
  networkData?: NetworkDeviceData;
}

/** io.k8s.api.resource.v1.AllocationResult */
export interface AllocationResult {
  devices?: DeviceAllocationResult;
  nodeSelector?: NodeSelector;
  allocationTimestamp?: string;
}

/** io.k8s.api.resource.v1.CELDeviceSelector */
export interface CELDeviceSelector {
  expression?: string;
}

/** io.k8s.api.resource.v1.CapacityRequestPolicy */
export interface CapacityRequestPolicy {
  default?: string | null;
  validValues?: string[];
  validRange?: CapacityRequestPolicyRange;
}

/** io.k8s.api.resource.v1.CapacityRequestPolicyRange */
export interface CapacityRequestPolicyRange {
  min?: string;
  max?: string;
  step?: string;
}

/** io.k8s.api.resource.v1.CapacityRequirements */
export interface CapacityRequirements {
  requests?: Record<string, string>;
}

/** io.k8s.api.resource.v1.Counter */
export interface Counter {
  value?: string;
}

/** io.k8s.api.resource.v1.CounterSet */
export interface CounterSet {
  name?: string;
  counters?: Record<string, Counter>;
}

/** io.k8s.api.resource.v1.Device */
export interface Device {
  name?: string;
  attributes?: Record<string, DeviceAttribute>;
  capacity?: Record<string, DeviceCapacity>;
  consumesCounters?: DeviceCounterConsumption[];
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  taints?: DeviceTaint[];
  bindsToNode?: boolean;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  allowMultipleAllocations?: boolean;
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
}

/** io.k8s.api.resource.v1.DeviceAllocationConfiguration */
export interface DeviceAllocationConfiguration {
  source?: string;
  requests?: string[];
  opaque?: OpaqueDeviceConfiguration;
}

/** io.k8s.api.resource.v1.DeviceAllocationResult */
export interface DeviceAllocationResult {
  results?: DeviceRequestAllocationResult[];
  config?: DeviceAllocationConfiguration[];
}

/** io.k8s.api.resource.v1.DeviceAttribute */
export interface DeviceAttribute {
  int?: number;
  bool?: boolean;
  string?: string;
  version?: string;
  ints?: number[];
  bools?: boolean[];
  strings?: string[];
  versions?: string[];
}

/** io.k8s.api.resource.v1.DeviceCapacity */
export interface DeviceCapacity {
  value?: string;
  requestPolicy?: CapacityRequestPolicy;
}

/** io.k8s.api.resource.v1.DeviceClaim */
export interface DeviceClaim {
  requests?: DeviceRequest[] | null;
  constraints?: DeviceConstraint[];
  config?: DeviceClaimConfiguration[];
}

/** io.k8s.api.resource.v1.DeviceClaimConfiguration */
export interface DeviceClaimConfiguration {
  requests?: string[];
  opaque?: OpaqueDeviceConfiguration;
}

/** io.k8s.api.resource.v1.DeviceClass */
export interface DeviceClass {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: DeviceClassSpec;
}

/** io.k8s.api.resource.v1.DeviceClassConfiguration */
export interface DeviceClassConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}

/** io.k8s.api.resource.v1.DeviceClassList */
export interface DeviceClassList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: DeviceClass[] | null;
}

/** io.k8s.api.resource.v1.DeviceClassSpec */
export interface DeviceClassSpec {
  selectors?: DeviceSelector[];
  config?: DeviceClassConfiguration[];
  extendedResourceName?: string;
}

/** io.k8s.api.resource.v1.DeviceConstraint */
export interface DeviceConstraint {
  requests?: string[];
  matchAttribute?: string;
  distinctAttribute?: string;
}

/** io.k8s.api.resource.v1.DeviceCounterConsumption */
export interface DeviceCounterConsumption {
  counterSet?: string;
  counters?: Record<string, Counter>;
}

/** io.k8s.api.resource.v1.DeviceRequest */
export interface DeviceRequest {
  name?: string;
  exactly?: ExactDeviceRequest;
  firstAvailable?: DeviceSubRequest[];
}

/** io.k8s.api.resource.v1.DeviceRequestAllocationResult */
export interface DeviceRequestAllocationResult {
  request?: string;
  driver?: string;
  pool?: string;
  device?: string;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  shareID?: string;
  consumedCapacity?: Record<string, string>;
}

/** io.k8s.api.resource.v1.DeviceSelector */
export interface DeviceSelector {
  cel?: CELDeviceSelector;
}

/** io.k8s.api.resource.v1.DeviceSubRequest */
export interface DeviceSubRequest {
  name?: string;
  deviceClassName?: string;
  selectors?: DeviceSelector[];
  allocationMode?: string;
  count?: number;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
}

/** io.k8s.api.resource.v1.DeviceTaint */
export interface DeviceTaint {
  key?: string;
  value?: string;
  effect?: string;
  timeAdded?: string;
}

/** io.k8s.api.resource.v1.DeviceToleration */
export interface DeviceToleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

/** io.k8s.api.resource.v1.ExactDeviceRequest */
export interface ExactDeviceRequest {
  deviceClassName?: string;
  selectors?: DeviceSelector[];
  allocationMode?: string;
  count?: number;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
}

/** io.k8s.api.resource.v1.NetworkDeviceData */
export interface NetworkDeviceData {
  interfaceName?: string;
  ips?: string[];
  hardwareAddress?: string;
}

/** io.k8s.api.resource.v1.NodeAllocatableResourceMapping */
export interface NodeAllocatableResourceMapping {
  capacityKey?: string;
  allocationMultiplier?: string;
}

/** io.k8s.api.resource.v1.OpaqueDeviceConfiguration */
export interface OpaqueDeviceConfiguration {
  driver?: string;
  parameters?: JsonObject | null;
}

/** io.k8s.api.resource.v1.ResourceClaim */
export interface ResourceV1ResourceClaim {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ResourceClaimSpec;
  status?: ResourceClaimStatus;
}

/** io.k8s.api.resource.v1.ResourceClaimConsumerReference */
export interface ResourceClaimConsumerReference {
  apiGroup?: string;
  resource?: string;
  name?: string;
  uid?: string;
}

/** io.k8s.api.resource.v1.ResourceClaimList */
export interface ResourceClaimList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ResourceV1ResourceClaim[] | null;
}

/** io.k8s.api.resource.v1.ResourceClaimSpec */
export interface ResourceClaimSpec {
  devices?: DeviceClaim;
}

/** io.k8s.api.resource.v1.ResourceClaimStatus */
export interface ResourceClaimStatus {
  allocation?: AllocationResult;
  reservedFor?: ResourceClaimConsumerReference[];
  devices?: AllocatedDeviceStatus[];
}

/** io.k8s.api.resource.v1.ResourceClaimTemplate */
export interface ResourceClaimTemplate {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ResourceClaimTemplateSpec;
}

/** io.k8s.api.resource.v1.ResourceClaimTemplateList */
export interface ResourceClaimTemplateList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ResourceClaimTemplate[] | null;
}

/** io.k8s.api.resource.v1.ResourceClaimTemplateSpec */
export interface ResourceClaimTemplateSpec {
  metadata?: ObjectMeta;
  spec?: ResourceClaimSpec;
}

/** io.k8s.api.resource.v1.ResourcePool */
export interface ResourcePool {
  name?: string;
  generation?: number;
  resourceSliceCount?: number;
}

/** io.k8s.api.resource.v1.ResourceSlice */
export interface ResourceSlice {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: ResourceSliceSpec;
}

/** io.k8s.api.resource.v1.ResourceSliceList */
export interface ResourceSliceList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: ResourceSlice[] | null;
}

/** io.k8s.api.resource.v1.ResourceSliceSpec */
export interface ResourceSliceSpec {
  driver?: string;
  pool?: ResourcePool;
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  devices?: Device[];
  perDeviceNodeSelection?: boolean;
  sharedCounters?: CounterSet[];
}

/** io.k8s.api.scheduling.v1.PriorityClass */
export interface PriorityClass {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  value?: number;
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: string;
}

/** io.k8s.api.scheduling.v1.PriorityClassList */
export interface PriorityClassList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: PriorityClass[] | null;
}

/** io.k8s.api.storage.v1.CSIDriver */
export interface CSIDriver {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: CSIDriverSpec;
}

/** io.k8s.api.storage.v1.CSIDriverList */
export interface CSIDriverList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: CSIDriver[] | null;
}

/** io.k8s.api.storage.v1.CSIDriverSpec */
export interface CSIDriverSpec {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  volumeLifecycleModes?: string[];
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  tokenRequests?: StorageV1TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  nodeAllocatableUpdatePeriodSeconds?: number;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
}

/** io.k8s.api.storage.v1.CSINode */
export interface CSINode {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: CSINodeSpec;
}

/** io.k8s.api.storage.v1.CSINodeDriver */
export interface CSINodeDriver {
  name?: string;
  nodeID?: string;
  topologyKeys?: string[] | null;
  allocatable?: VolumeNodeResources;
}

/** io.k8s.api.storage.v1.CSINodeList */
export interface CSINodeList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: CSINode[] | null;
}

/** io.k8s.api.storage.v1.CSINodeSpec */
export interface CSINodeSpec {
  drivers?: CSINodeDriver[] | null;
}

/** io.k8s.api.storage.v1.CSIStorageCapacity */
export interface CSIStorageCapacity {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  nodeTopology?: LabelSelector;
  storageClassName?: string;
  capacity?: string;
  maximumVolumeSize?: string;
}

/** io.k8s.api.storage.v1.CSIStorageCapacityList */
export interface CSIStorageCapacityList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: CSIStorageCapacity[] | null;
}

/** io.k8s.api.storage.v1.StorageClass */
export interface StorageClass {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  provisioner?: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: string;
  allowedTopologies?: TopologySelectorTerm[];
}

/** io.k8s.api.storage.v1.StorageClassList */
export interface StorageClassList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: StorageClass[] | null;
}

/** io.k8s.api.storage.v1.TokenRequest */
export interface StorageV1TokenRequest {
  audience?: string;
  expirationSeconds?: number;
}

/** io.k8s.api.storage.v1.VolumeAttachment */
export interface VolumeAttachment {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  spec?: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus;
}

/** io.k8s.api.storage.v1.VolumeAttachmentList */
export interface VolumeAttachmentList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: VolumeAttachment[] | null;
}

/** io.k8s.api.storage.v1.VolumeAttachmentSource */
export interface VolumeAttachmentSource {
  persistentVolumeName?: string;
  inlineVolumeSpec?: PersistentVolumeSpec;
}

/** io.k8s.api.storage.v1.VolumeAttachmentSpec */
export interface VolumeAttachmentSpec {
  attacher?: string;
  source?: VolumeAttachmentSource;
  nodeName?: string;
}

/** io.k8s.api.storage.v1.VolumeAttachmentStatus */
export interface VolumeAttachmentStatus {
  attached?: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: VolumeError;
  detachError?: VolumeError;
}

/** io.k8s.api.storage.v1.VolumeAttributesClass */
export interface VolumeAttributesClass {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  driverName?: string;
  parameters?: Record<string, string>;
}

/** io.k8s.api.storage.v1.VolumeAttributesClassList */
export interface VolumeAttributesClassList {
  kind: string;
  apiVersion: string;
  metadata: ListMeta;
  items?: VolumeAttributesClass[] | null;
}

/** io.k8s.api.storage.v1.VolumeError */
export interface VolumeError {
  time?: string;
  message?: string;
  errorCode?: number;
}

/** io.k8s.api.storage.v1.VolumeNodeResources */
export interface VolumeNodeResources {
  count?: number;
}

/** io.k8s.apimachinery.pkg.version.Info */
export interface Info {
  buildDate?: string;
  compiler?: string;
  emulationMajor?: string;
  emulationMinor?: string;
  gitCommit?: string;
  gitTreeState?: string;
  gitVersion?: string;
  goVersion?: string;
  major?: string;
  minCompatibilityMajor?: string;
  minCompatibilityMinor?: string;
  minor?: string;
  platform?: string;
}

