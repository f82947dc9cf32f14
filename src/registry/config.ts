// What the generic Store needs to know of a resource.
import type { KindDefinition, Strategy } from "../apis/kind.ts";
import type { FieldError } from "../machinery/field_error.ts";
import type { StructType } from "../machinery/schema/model.ts";
import type { GroupResource, GroupVersionKind, KubeObject } from "../machinery/types.ts";
import type { DryRunStorage } from "../storage/mod.ts";
import type { RequestContext } from "../apis/context.ts";
import type { NamespaceGate } from "./namespace_gate.ts";

/** Called once the write succeeded or failed. */
export type Finish = (success: boolean) => void | Promise<void>;

/** Work around the writes of a stateful kind: services take addresses before they are validated. */
export interface StoreHooks {
  /** What only other objects tell about a new one; comes before what its own rules say. */
  refusals?(context: RequestContext, object: KubeObject): Promise<FieldError[]>;
  /** The same for writes of a subresource. */
  subresourceRefusals?(context: RequestContext, object: KubeObject, old: KubeObject): Promise<FieldError[]>;
  beginCreate?(context: RequestContext, object: KubeObject, dryRun: boolean): Finish | Promise<Finish>;
  beginUpdate?(
    context: RequestContext,
    object: KubeObject,
    old: KubeObject,
    dryRun: boolean,
  ): Finish | Promise<Finish>;
  afterDelete?(object: KubeObject, dryRun: boolean): void | Promise<void>;
  /** Whether an update that leaves no finalizers on an object being deleted may remove it. True unless set. */
  mayDeleteDuringUpdate?(object: KubeObject, old: KubeObject): boolean;
}

export interface StoreConfig {
  resource: GroupResource;
  gvk: GroupVersionKind;
  namespaced: boolean;
  /** `/registry/pods` */
  prefix: string;
  type: StructType;
  definition: KindDefinition;
  /** The strategy of the resource itself. */
  strategy: Strategy;
  storage: DryRunStorage;
  hooks?: StoreHooks;
  /** Of the server's namespaces; every store has the same. */
  namespaceGate?: NamespaceGate;
  /** Seconds to live (events). */
  ttl?: number;
  /** `orphan` and `foregroundDeletion` finalizers are honoured. */
  garbageCollection: boolean;
  /** Parallel deletes of a collection. */
  deleteCollectionWorkers: number;
}
