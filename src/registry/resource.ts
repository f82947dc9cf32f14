// A resource as it is served: its names, its verbs, how its objects are read and written, and the storage behind it.
import type { Column } from "../apis/kind.ts";
import type { StructType } from "../machinery/schema/model.ts";
import type { GroupVersionKind, Json, KubeObject, ObjectMeta } from "../machinery/types.ts";
import type { ResourceStorage } from "./rest.ts";

/** A kind in one served version. Conversions give back new objects or the same when there is nothing to do. */
export interface ServedKind {
  readonly gvk: GroupVersionKind;
  /** The version that storage holds and strategies see. */
  readonly storedGvk: GroupVersionKind;
  /** The schema model of the served version. */
  readonly type: StructType;
  /** A custom resource: lists carry kind and apiVersion in every item, unknown fields are pruned, no protobuf. */
  readonly custom: boolean;
  /** Fills defaults of the served version in, in place. */
  setDefaults(object: KubeObject): void;
  toStored(object: KubeObject): KubeObject | Promise<KubeObject>;
  fromStored(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** The same kind in another version, served or not; undefined when there is no such version. */
  inVersion?(apiVersion: string): ServedKind | undefined;
  /** They see objects of the stored version, those of custom resources of the served one. */
  readonly columns?: readonly Column<KubeObject>[];
  /** Conditions of a row in the Table form: `Completed` pods. */
  rowConditions?(object: KubeObject): Json[] | undefined;
  /** Metadata as Tables and metadata alone show it, where that is not what the object has. */
  partialMetadata?(metadata: ObjectMeta): ObjectMeta;
  /** The kind of lists when it is not the kind with `List` behind it. */
  readonly listKind?: string;
  /** Sent as a Warning with every answer of this kind. */
  readonly deprecationWarning?: string;
}

/** A subresource such as `status`, `scale` or `eviction`. */
export interface ServedSubresource {
  name: string;
  kind: ServedKind;
  /** As discovery lists them. */
  verbs: readonly string[];
  storage: ResourceStorage;
  /** Group and version that discovery shows when they are not the resource's own (autoscaling/v1 Scale). */
  responseKind: GroupVersionKind;
}

/** One resource in one version. */
export interface ServedResource {
  group: string;
  version: string;
  /** The plural of the path. */
  resource: string;
  singular: string;
  namespaced: boolean;
  shortNames: readonly string[];
  categories: readonly string[];
  verbs: readonly string[];
  kind: ServedKind;
  storage: ResourceStorage;
  subresources: ReadonlyMap<string, ServedSubresource>;
  /** The version on the disk, where it is not the one in which the registry has objects (custom resources). */
  storageVersion?: GroupVersionKind;
  /** Fields that a field selector may name, metadata.name and metadata.namespace included. */
  selectableFields: readonly string[];
}

/** Finds what is served at a path: the built-in resources, or those of the CustomResourceDefinitions. */
export interface ResourceProvider {
  lookup(group: string, version: string, resource: string): ServedResource | undefined;
  /** Everything served now, in the order of discovery. */
  all(): Iterable<ServedResource>;
}
