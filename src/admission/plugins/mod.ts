// Every plugin that is built, by name. A new plugin is one file and one line here.
import type { AdmissionPlugin } from "../interface.ts";
import type { ObjectLookup } from "./lookup.ts";
import { namespaceLifecycle } from "./namespace_lifecycle.ts";
import { defaultTolerationSeconds, priority, taintNodesByCondition, type TolerationSeconds } from "./pods.ts";
import { runtimeClassAdmission } from "./runtime_class.ts";
import {
  defaultIngressClass,
  defaultStorageClass,
  persistentVolumeClaimResize,
  storageObjectInUseProtection,
} from "./storage.ts";

export interface PluginOptions {
  lookup: ObjectLookup;
  tolerationSeconds: TolerationSeconds;
}

export const PLUGINS: Readonly<Record<string, (options: PluginOptions) => AdmissionPlugin>> = {
  AlwaysAdmit: () => ({ name: "AlwaysAdmit", handles: () => false }),
  DefaultIngressClass: ({ lookup }) => defaultIngressClass(lookup),
  DefaultStorageClass: ({ lookup }) => defaultStorageClass(lookup),
  DefaultTolerationSeconds: ({ tolerationSeconds }) => defaultTolerationSeconds(tolerationSeconds),
  NamespaceLifecycle: ({ lookup }) => namespaceLifecycle(lookup),
  PersistentVolumeClaimResize: ({ lookup }) => persistentVolumeClaimResize(lookup),
  Priority: ({ lookup }) => priority(lookup),
  RuntimeClass: ({ lookup }) => runtimeClassAdmission(lookup),
  StorageObjectInUseProtection: () => storageObjectInUseProtection,
  TaintNodesByCondition: () => taintNodesByCondition,
};
