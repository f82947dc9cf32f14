// The vocabulary of validation: fields to report to, and the rules that many kinds share.
export * from "./conditions.ts";
export * from "./cron.ts";
export * from "./domains.ts";
export * from "./equality.ts";
export * from "./field.ts";
export * from "./immutable.ts";
export * from "./labels.ts";
export * from "./names.ts";
export * from "./net.ts";
export * from "./numbers.ts";
export * from "./object_meta.ts";
export * from "./webhook_client.ts";
