// Defaults of pods and of templates of pods. Written for speed: every pod that is read from a request goes through it.
import type * as v1 from "../../../facts/generated/types.ts";
import type { ObjectMeta } from "../../../machinery/types.ts";
import { setClaimSpecDefaults } from "../persistentvolumeclaim_spec.ts";
import {
  isHugePages,
  isOvercommitAllowed,
  isPodLevelResource,
  type ResourceList,
  roundResources,
} from "../resource_names.ts";
import { aggregate } from "./resources.ts";

const TERMINATION_MESSAGE_PATH = "/dev/termination-log";
const FILE_MODE = 0o644;
const ONE_HOUR = 3600;

/** The tag that an image's name ends with; `latest` when there is neither a tag nor a digest. */
function imageTag(image: string): string {
  const at = image.indexOf("@");
  const name = at < 0 ? image : image.slice(0, at);
  const colon = name.lastIndexOf(":");
  if (colon > name.lastIndexOf("/")) return name.slice(colon + 1);
  return at < 0 ? "latest" : "";
}

const IMAGE_PATH =
  /^(?:(?:[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*|\[[0-9a-fA-F:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$/;

/** How long the full name of an image may be, without its tag. */
const MAX_IMAGE_NAME = 255;

/** An image that may change behind its name is pulled always. A name that cannot be read says nothing. */
function pullPolicyOf(image = ""): string {
  return imageTag(image) === "latest" && isImageName(image) ? "Always" : "IfNotPresent";
}

function isImageName(image: string): boolean {
  const tag = image.lastIndexOf(":"), slash = image.indexOf("/");
  const name = tag > image.lastIndexOf("/") ? image.slice(0, tag) : image;
  const hasHost = slash > 0 && /[.:A-Z]|^localhost$/.test(image.slice(0, slash));
  // Names without a host, and those without a folder, are short for longer ones.
  const full = hasHost ? name : `docker.io/${slash > 0 ? "" : "library/"}${name}`;
  return full.length <= MAX_IMAGE_NAME && IMAGE_PATH.test(image);
}

function setProbeDefaults(probe: v1.Probe | undefined): void {
  if (!probe) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.httpGet) setHTTPGetDefaults(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= "";
}

function setHTTPGetDefaults(action: v1.HTTPGetAction): void {
  action.path ||= "/";
  action.scheme ||= "HTTP";
}

function setContainerDefaults(container: v1.Container): void {
  container.imagePullPolicy ||= pullPolicyOf(container.image);
  container.terminationMessagePath ||= TERMINATION_MESSAGE_PATH;
  container.terminationMessagePolicy ||= "File";
  const { ports, env, resources, lifecycle } = container;
  if (ports) { for (let i = 0; i < ports.length; i++) ports[i].protocol ||= "TCP"; }
  if (env) {
    for (let i = 0; i < env.length; i++) {
      const source = env[i].valueFrom;
      if (!source) continue;
      if (source.fieldRef) source.fieldRef.apiVersion ||= "v1";
      if (source.fileKeyRef) source.fileKeyRef.optional ??= false;
    }
  }
  if (resources) {
    roundResources(resources.limits);
    roundResources(resources.requests);
  }
  setProbeDefaults(container.livenessProbe);
  setProbeDefaults(container.readinessProbe);
  setProbeDefaults(container.startupProbe);
  if (lifecycle?.postStart?.httpGet) setHTTPGetDefaults(lifecycle.postStart.httpGet);
  if (lifecycle?.preStop?.httpGet) setHTTPGetDefaults(lifecycle.preStop.httpGet);
}

function setFileDefaults(files: readonly v1.DownwardAPIVolumeFile[] | undefined): void {
  for (const { fieldRef } of files ?? []) if (fieldRef) fieldRef.apiVersion ||= "v1";
}

/** Defaults by the type of the volume. */
export const VOLUME_DEFAULTS: { [T in keyof v1.Volume]?: (source: NonNullable<v1.Volume[T]>) => void } = {
  hostPath: (source) => source.type ??= "",
  secret: (source) => source.defaultMode ??= FILE_MODE,
  configMap: (source) => source.defaultMode ??= FILE_MODE,
  iscsi: (source) => source.iscsiInterface ||= "default",
  rbd(source) {
    source.pool ||= "rbd";
    source.user ||= "admin";
    source.keyring ||= "/etc/ceph/keyring";
  },
  downwardAPI(source) {
    source.defaultMode ??= FILE_MODE;
    setFileDefaults(source.items);
  },
  azureDisk(source) {
    source.cachingMode ??= "ReadWrite";
    source.fsType ??= "ext4";
    source.readOnly ??= false;
    source.kind ??= "Shared";
  },
  projected(source) {
    source.defaultMode ??= FILE_MODE;
    for (const { downwardAPI, serviceAccountToken } of source.sources ?? []) {
      setFileDefaults(downwardAPI?.items);
      if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= ONE_HOUR;
    }
  },
  scaleIO(source) {
    source.storageMode ||= "ThinProvisioned";
    source.fsType ||= "xfs";
  },
  ephemeral(source) {
    const spec = source.volumeClaimTemplate?.spec;
    if (!spec) return;
    setClaimSpecDefaults(spec);
    roundResources(spec.resources?.limits);
    roundResources(spec.resources?.requests);
  },
  image: (source) => source.pullPolicy ||= pullPolicyOf(source.reference),
};

function setVolumeDefaults(volume: v1.Volume): void {
  let typed = false;
  for (const member in volume) {
    if (member === "name") continue;
    typed = true;
    VOLUME_DEFAULTS[member as "hostPath"]?.(volume[member as "hostPath"]!);
  }
  if (!typed) volume.emptyDir = {};
}

/** Defaults of a specification, in a pod and in a template. */
export function setPodSpecDefaults(spec: v1.PodSpec): void {
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= "default-scheduler";
  // The old name of the field is kept in step with the new one.
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else if (spec.serviceAccount) spec.serviceAccountName = spec.serviceAccount;
  spec.volumes?.forEach(setVolumeDefaults);
  spec.initContainers?.forEach(setContainerDefaults);
  spec.containers?.forEach(setContainerDefaults);
  spec.ephemeralContainers?.forEach(setContainerDefaults);
  roundResources(spec.overhead);
  roundResources(spec.resources?.limits);
  roundResources(spec.resources?.requests);
}

const INIT_CONTAINER_ANNOTATIONS = [
  "pod.beta.kubernetes.io/init-containers",
  "pod.alpha.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/init-container-statuses",
  "pod.alpha.kubernetes.io/init-container-statuses",
];

/** What init containers were before they were fields: old clients still send it. */
export function dropInitContainerAnnotations(meta: ObjectMeta | undefined): void {
  if (!meta?.annotations) return;
  for (const key of INIT_CONTAINER_ANNOTATIONS) delete meta.annotations[key];
}

export function setPodTemplateDefaults(template: v1.PodTemplateSpec | undefined): void {
  if (!template) return;
  dropInitContainerAnnotations(template.metadata);
  setPodSpecDefaults(template.spec ??= {});
}

function setHostPorts(spec: v1.PodSpec): void {
  for (const container of [...spec.containers ?? [], ...spec.initContainers ?? []]) {
    for (const port of container.ports ?? []) {
      if (!port.hostPort && port.containerPort) port.hostPort = port.containerPort;
    }
  }
}

/** Requests that are not given are the limits. */
function setContainerRequests(containers: readonly v1.Container[] | null | undefined): void {
  for (const { resources } of containers ?? []) {
    if (!resources?.limits) continue;
    const requests = resources.requests ??= {};
    for (const name in resources.limits) requests[name] ??= resources.limits[name];
  }
}

/** Requests and limits of the pod as a whole, where it has any, out of those of its containers (KEP-2837). */
function setPodLevelResources(spec: v1.PodSpec): void {
  const resources = spec.resources;
  if (!resources) return;
  const count = (list: ResourceList | undefined) => Object.keys(list ?? {}).length;
  if (count(resources.limits) + count(resources.requests) > 0) {
    const limits = { ...resources.limits };
    for (const [name, limit] of Object.entries(aggregate(spec, "limits"))) {
      if (isHugePages(name) && resources.requests?.[name] === undefined) limits[name] ??= limit;
    }
    if (count(limits) > 0) resources.limits = limits;
  }
  if (count(resources.limits) === 0) return;
  const requests = { ...resources.requests };
  for (const [name, request] of Object.entries(aggregate(spec, "requests"))) {
    if (isPodLevelResource(name) && isOvercommitAllowed(name)) requests[name] ??= request;
  }
  for (const [name, limit] of Object.entries(resources.limits ?? {})) {
    if (isPodLevelResource(name)) requests[name] ??= limit;
  }
  if (count(requests) > 0) resources.requests = requests;
}

/** Defaults of a pod itself: those of its specification, and what only makes sense when there is one. */
export function setPodDefaults(pod: v1.Pod): void {
  const spec = pod.spec ??= {};
  setContainerRequests(spec.containers);
  setContainerRequests(spec.initContainers);
  setPodLevelResources(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) setHostPorts(spec);
  setPodSpecDefaults(spec);
  const status = pod.status;
  if (!status) return;
  for (const list of ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"] as const) {
    for (const container of status[list] ?? []) {
      roundResources(container.allocatedResources);
      roundResources(container.resources?.limits);
      roundResources(container.resources?.requests);
    }
  }
  roundResources(status.allocatedResources);
  roundResources(status.resources?.limits);
  roundResources(status.resources?.requests);
}
