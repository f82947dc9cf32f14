// Admission: the words of k8s.io/apiserver's admission package.
import type { UserInfo } from "../authentication/interface.ts";
import type { StructType } from "../machinery/schema/model.ts";
import type { GroupVersionKind, GroupVersionResource, Json, JsonObject, KubeObject } from "../machinery/types.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** A kind in one version, and how its objects come there from the stored version, which plugins see. */
export interface AdmissionKind {
  readonly gvk: GroupVersionKind;
  readonly type: StructType;
  /** Of a CustomResourceDefinition: what has no place in the type goes without a word. */
  readonly custom: boolean;
  /** Reads JSON as an object of this version: unknown members go, values take their canonical form. Throws an Error. */
  decode(value: Json): KubeObject;
  setDefaults(object: KubeObject): void;
  toStored(object: KubeObject): KubeObject | Promise<KubeObject>;
  fromStored(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** Undefined when there is no such version. */
  inVersion(apiVersion: string): AdmissionKind | undefined;
}

/** What mutating plugins know of each other: those that call out run again when others changed the object after them. */
export interface Reinvocation {
  /** The chain runs for the second time. */
  isReinvoke: boolean;
  /** Set by whoever changed the object: the chain shall run once more. */
  shouldReinvoke: boolean;
  /** What a plugin remembers of its first run, by its name. */
  readonly memory: Map<string, unknown>;
}

/** What is about to happen to an object. */
export interface AdmissionAttributes {
  operation: AdmissionOperation;
  /** As the request has it; `object` and `oldObject` are of the version that is stored. */
  kind: GroupVersionKind;
  /** The kind of the request, to come to other versions. */
  served: AdmissionKind;
  resource: GroupVersionResource;
  subresource: string;
  namespace: string;
  /** Empty on create with generateName. */
  name: string;
  /** The new object (mutating plugins change it in place); undefined on DELETE. On CONNECT the options object. */
  object: KubeObject | undefined;
  /** The stored object; undefined on CREATE and CONNECT. */
  oldObject: KubeObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as sent. */
  options: JsonObject;
  dryRun: boolean;
  user: UserInfo;
  /** Sends a Warning header; equal texts are sent once. */
  addWarning(text: string): void;
  addAuditAnnotation(key: string, value: string): void;
  /** Kept by the chain while mutating plugins run. */
  reinvocation: Reinvocation;
  /** Ends with the request. */
  signal: AbortSignal;
}

/**
 * A plugin is one file: its name, what it looks at, and one or both of `admit` and `validate`. They throw a
 * StatusError to refuse. `admit` may change `attributes.object` in place.
 */
export interface AdmissionPlugin {
  readonly name: string;
  handles(operation: AdmissionOperation): boolean;
  /** Whether the request is about something of the plugin's; it looks at all of them unless given. */
  looksAt?(attributes: AdmissionAttributes): boolean;
  admit?(attributes: AdmissionAttributes): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
  /** Looks once more right before an object is created, when nothing can happen to its namespace any more. */
  commit?(attributes: AdmissionAttributes): void;
}

/** The whole chain as endpoints and registry see it. */
export interface AdmissionChain {
  handles(operation: AdmissionOperation): boolean;
  admit(attributes: AdmissionAttributes): void | Promise<void>;
  validate(attributes: AdmissionAttributes): void | Promise<void>;
  commit(attributes: AdmissionAttributes): void;
}
