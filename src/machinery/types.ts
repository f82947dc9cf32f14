// The shapes every layer shares: JSON values, API objects and the names of kinds and resources.

/** Any JSON value. */
/** A BigInt is an integer that a number cannot hold. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;

/** A JSON object; a member that is `undefined` is not written. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** Who owns an object (API conventions, "owner references"). */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Which manager set which fields (KEP-555, server-side apply). */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/** metadata of every persisted object, in the order in which it is written. Times are RFC 3339 in seconds. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/**
 * An API object as plain JSON data, decoded and defaulted. `spec`, `status` and the rest are reached through the
 * kind's own interface (`src/facts/generated/types.ts`): `const pod = obj as KubeObject & Pod`.
 */
export interface KubeObject {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
  // deno-lint-ignore no-explicit-any -- the members of a kind are known to its own interface only
  [member: string]: any;
}

/** metadata of a list. */
export interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

export interface GroupVersion {
  group: string;
  version: string;
}

export interface GroupVersionKind extends GroupVersion {
  kind: string;
}

export interface GroupVersionResource extends GroupVersion {
  resource: string;
}

export interface GroupResource {
  group: string;
  resource: string;
}

export interface GroupKind {
  group: string;
  kind: string;
}

/** `v1` or `apps/v1`: what an object's apiVersion says. */
export function apiVersionOf(gv: GroupVersion): string {
  return gv.group === "" ? gv.version : `${gv.group}/${gv.version}`;
}

/** The opposite of {@link apiVersionOf}; undefined when there is more than one slash. */
export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  const parts = apiVersion.split("/");
  if (parts.length === 1) return { group: "", version: parts[0] };
  if (parts.length === 2) return { group: parts[0], version: parts[1] };
  return undefined;
}

/** Whether a value has members: neither null nor a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `pods` or `deployments.apps`: how messages name a resource. */
export function formatGroupResource(gr: GroupResource): string {
  return gr.group === "" ? gr.resource : `${gr.resource}.${gr.group}`;
}

/** `Pod` or `Deployment.apps`: how messages name a kind. */
export function formatGroupKind(gk: GroupKind): string {
  return gk.group === "" ? gk.kind : `${gk.kind}.${gk.group}`;
}
