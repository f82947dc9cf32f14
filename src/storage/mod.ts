// Storage's face: the factory and the words of its interface.
export * from "./interface.ts";
export { DryRunStorage, type Outcome } from "./dry_run.ts";
export {
  createStorage,
  type EngineOptions,
  type ResourceOptions,
  type StorageFactory,
  type StorageOptions,
} from "./factory.ts";
export type { Encryption } from "./encryption/mod.ts";
export type { StoredForm } from "./store.ts";
export { DatabaseFileError } from "./sqlite/errors.ts";
