// Admission: the words of k8s.io/apiserver's admission package.
import type { UserInfo } from "../authentication/interface.ts";
import type { GroupVersionKind, GroupVersionResource, JsonObject, KubeObject } from "../machinery/types.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** What is about to happen to an object. */
export interface AdmissionAttributes {
  operation: AdmissionOperation;
  kind: GroupVersionKind;
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
