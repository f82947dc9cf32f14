// What a kind says about itself. A kind needs nothing of this to be served: the schema model and the generic strategy
// do. Its own file (`src/apis/<group>/<kind>.ts`) exports one KindDefinition, and `src/apis/kinds.ts` lists them all.
import type { FieldError } from "../machinery/field_error.ts";
import type { GroupVersionKind, Json, KubeObject } from "../machinery/types.ts";
import type { RequestContext } from "./context.ts";

/** A column of the Table form. */
export interface Column<T> {
  name: string;
  type: "string" | "integer" | "number" | "boolean" | "date";
  format?: string;
  description: string;
  /** 0 is always shown; 1 only with `-o wide`. */
  priority?: number;
  /** Rows have the cell, but no definition says so. */
  withoutDefinition?: true;
  /** The cell; ages are worked out by `age()` of `src/machinery/duration.ts` against `now` in milliseconds. */
  cell(object: T, now: number): Json;
}

/** The rules of one way of writing an object: the resource itself, or one of its subresources (status, resize, …). */
export interface Strategy<T extends KubeObject = KubeObject> {
  /** Clears what a client may not set and sets what the server does. Runs on defaulted objects. */
  prepareForCreate?(object: T, context: RequestContext): void;
  /**
   * `validate` and `validateUpdate` look at metadata themselves (or mean not to); otherwise the generic registry puts
   * its errors in front of theirs.
   */
  checksMetadata?: boolean;
  /** Everything wrong with it, in the order of the real server. */
  validate?(object: T, context: RequestContext): FieldError[];
  warningsOnCreate?(object: T, context: RequestContext): string[];
  prepareForUpdate?(object: T, old: T, context: RequestContext): void;
  validateUpdate?(object: T, old: T, context: RequestContext): FieldError[];
  warningsOnUpdate?(object: T, old: T, context: RequestContext): string[];
  /** Last touches on a valid object. */
  canonicalize?(object: T): void;
  /**
   * Field paths (`["status"]`, `["metadata", "labels"]`) that this way of writing gives back to their old values, and
   * that server-side apply therefore never counts as owned.
   */
  resetFields?: readonly (readonly string[])[];
}

/** Everything that is special about a kind; each member may be left out. */
export interface KindDefinition<T extends KubeObject = KubeObject> extends Strategy<T> {
  /** The version in which objects are stored and all functions here see them. */
  gvk: GroupVersionKind;
  resource: string;
  /** Brings in what the rules on an object need and start-up does without; done before each write. */
  load?(object: T): Promise<void> | undefined;
  /** Fills in defaults, right after decoding (and after patching). Idempotent. */
  setDefaults?(object: T): void;
  /** Whether a PUT may create (leases, services, endpoints, events …). False unless set. */
  allowCreateOnUpdate?: boolean;
  /** Whether an update without resourceVersion is taken. True unless set. */
  allowUnconditionalUpdate?: boolean;
  /** Whether metadata.generation counts: changes of anything but metadata and status. */
  generation?: boolean;
  /** Messages about a bad metadata.name; RFC 1123 subdomain unless set. `prefix`: it is a generateName. */
  validateName?(name: string, prefix: boolean): string[];
  /** Whether finalizers without a domain may be any, not only the standard ones. False unless set. */
  anyFinalizers?: boolean;
  /** Selectable fields beyond metadata.name and metadata.namespace. */
  fields?(object: T): Record<string, string>;
  /** Columns of the Table form; Name and Age unless set. */
  columns?: readonly Column<T>[];
  /** {@link Strategy.resetFields} of the status subresource where it has no strategy that says so. `spec` unless set. */
  statusResetFields?: readonly (readonly string[])[];
  /** Conditions of its row in the Table form: pods that have completed. */
  rowConditions?(object: T): Json[] | undefined;
  /** Annotations that stand for fields inside: Tables and metadata alone do not have them. */
  fieldAnnotations?: readonly string[];
  /** DELETE answers the object itself rather than a Status (services, serviceaccounts, …). */
  returnsDeletedObject?: boolean;
  /** What happens to dependents when a delete says nothing. Background unless set. */
  defaultDeletion?: "Orphan" | "Background";
  /** A warning for deletes that leave that to {@link defaultDeletion}. */
  defaultDeletionWarning?: string;
  /** Seconds until an object deleted with grace is really gone; undefined: no grace. Pods only. */
  gracePeriod?(object: T, requested: number | undefined): number | undefined;
  /** Strategies of subresources that write the same object: `status`, `resize`, `ephemeralcontainers`, `approval`. */
  subresources?: Record<string, Strategy<T>>;
  /** Other served versions, as pairs of functions over copies. */
  conversions?: Record<string, {
    fromStored(object: T): KubeObject;
    toStored(object: KubeObject): T;
    setDefaults?(object: KubeObject): void;
    /** Rules of writing in this version where they are not those of the stored one; over stored objects. */
    strategy?: Strategy<T>;
  }>;
}
