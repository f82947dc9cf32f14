// References to fields and resources of the pod itself (KEP-753, downward API): in the environment and in volumes.
import type {
  DownwardAPIVolumeFile,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from "../../../facts/generated/types.ts";
import { validateQualifiedName } from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { validateFileMode, validateNonReservedPath } from "./paths.ts";

/** Fields that the environment may show. */
export const ENVIRONMENT_FIELDS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Fields that files may show. */
const VOLUME_FIELDS = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** Fields that are known at all, `spec.host` being the old name of one. */
const KNOWN_FIELDS = new Set([
  ...ENVIRONMENT_FIELDS,
  ...VOLUME_FIELDS,
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
]);

const RESOURCES = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

/** `metadata.labels['app']`: the path and what is in the brackets. */
function splitSubscript(path: string): { path: string; subscript: string } | undefined {
  const match = /^(.*?)\['(.*)'\]$/s.exec(path);
  return match && match[1] !== "" ? { path: match[1], subscript: match[2] } : undefined;
}

/** The field's name inside; a message in `problem` when there is no such field. */
function resolveField(version: string, path: string): { path: string; problem?: string } {
  if (version !== "v1") return { path: "", problem: `unsupported pod version: ${version}` };
  const split = splitSubscript(path);
  if (split) {
    if (split.path === "metadata.annotations" || split.path === "metadata.labels") return { path };
    return { path: "", problem: `field label does not support subscript: ${path}` };
  }
  if (path === "spec.host") return { path: "spec.nodeName" };
  return KNOWN_FIELDS.has(path) ? { path } : { path: "", problem: `field label not supported: ${path}` };
}

export function validateFieldReference(
  reference: ObjectFieldSelector,
  at: Field,
  supported: readonly string[],
): void {
  const { apiVersion = "", fieldPath = "" } = reference;
  if (apiVersion === "") return at.child("apiVersion").required();
  if (fieldPath === "") return at.child("fieldPath").required();
  const { path, problem } = resolveField(apiVersion, fieldPath);
  if (problem) return at.child("fieldPath").invalid(fieldPath, `error converting fieldPath: ${problem}`);
  const split = splitSubscript(path);
  if (!split) {
    if (!supported.includes(path)) at.child("fieldPath").notSupported(path, supported);
  } else if (split.path === "metadata.annotations") validateQualifiedName(split.subscript.toLowerCase(), at);
  else validateQualifiedName(split.subscript, at);
}

const CPU_DIVISORS = "only divisor's values 1m and 1 are supported with the cpu resource";
const BYTE_UNITS = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

function byteDivisors(resource: string): string {
  return `only divisor's values ${BYTE_UNITS.join(", ")} are supported with the ${resource} resource`;
}

const HUGE_PAGES = /^(limits|requests)\.hugepages-/;

/** Which units a resource may be shown in. */
function divisorProblem(resource: string, divisor: string): string | undefined {
  if (divisor === "0") return undefined;
  const name = resource.replace(/^(limits|requests)\./, "");
  if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource)) return undefined;
  if (name === "cpu") return divisor === "1m" || divisor === "1" ? undefined : CPU_DIVISORS;
  if (BYTE_UNITS.includes(divisor)) return undefined;
  if (name === "memory") return byteDivisors("memory");
  return byteDivisors(name === "ephemeral-storage" ? "local ephemeral storage" : "hugepages");
}

/** `inVolume`: which container is meant must be said. */
export function validateResourceReference(
  reference: ResourceFieldSelector,
  at: Field,
  options: { inVolume: boolean },
): void {
  const { containerName = "", resource = "", divisor = "0" } = reference;
  if (options.inVolume && containerName === "") at.child("containerName").required();
  else if (resource === "") at.child("resource").required();
  else if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource)) {
    at.child("resource").notSupported(resource, RESOURCES);
  }
  const problem = divisorProblem(resource, divisor);
  if (problem) at.child("divisor").invalid(resource, problem);
}

/** A file of a downward API volume. */
export function validateDownwardFile(file: DownwardAPIVolumeFile, at: Field): void {
  const { path = "", fieldRef, resourceFieldRef } = file;
  if (path === "") at.child("path").required();
  validateNonReservedPath(path, at.child("path"));
  if (fieldRef) {
    validateFieldReference(fieldRef, at.child("fieldRef"), VOLUME_FIELDS);
    if (resourceFieldRef) {
      at.invalid("resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
    }
  } else if (resourceFieldRef) {
    validateResourceReference(resourceFieldRef, at.child("resourceFieldRef"), { inVolume: true });
  } else at.required("one of fieldRef and resourceFieldRef is required");
  validateFileMode(file.mode, at.child("mode"));
}
