// Metrics of encryption at rest, under kube-apiserver's names.
import type { MetricDefinition } from "./definitions.ts";
import { reloadMetrics } from "./reloads.ts";

const USED_KEY = ["transformation_type", "provider_name", "key_id_hash", "apiserver_id_hash"] as const;
const reload = reloadMetrics("encryption", "--encryption-provider-config");

/** `count` bounds, each twice the one before. */
function doubling(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Number((first * 2 ** i).toPrecision(12)));
}

export const ENCRYPTION_METRICS = {
  encryptionConfig: reload.used,
  encryptionReloads: reload.reloads,
  encryptionReloadTime: reload.reloaded,
  transformations: {
    name: "apiserver_storage_transformation_operations_total",
    type: "counter",
    labels: ["resource", "transformation_type", "transformer_prefix", "status"],
    help: "Values that were encrypted or decrypted, by what came of it.",
  },
  transformationDuration: {
    name: "apiserver_storage_transformation_duration_seconds",
    type: "histogram",
    labels: ["transformation_type", "transformer_prefix"],
    help: "Seconds that it took to encrypt or decrypt a value.",
    buckets: doubling(5e-6, 25),
  },
  dataKeyDuration: {
    name: "apiserver_storage_data_key_generation_duration_seconds",
    type: "histogram",
    labels: [],
    help: "Seconds that it took to make a seed for keys of values.",
    buckets: doubling(5e-6, 14),
  },
  kmsDuration: {
    name: "apiserver_envelope_encryption_kms_operations_latency_seconds",
    type: "histogram",
    labels: ["provider_name", "method_name", "grpc_status_code"],
    help: "Seconds that a KMS plugin took.",
    buckets: doubling(1e-4, 20),
  },
  kmsKeyUses: {
    name: "apiserver_envelope_encryption_key_id_hash_total",
    type: "counter",
    labels: USED_KEY,
    help: "Uses of a key of a KMS plugin.",
  },
  kmsKeyUseTime: {
    name: "apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds",
    type: "gauge",
    labels: USED_KEY,
    help: "When a key of a KMS plugin was used last, in seconds since 1970.",
  },
  kmsKeyStatusTime: {
    name: "apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds",
    type: "gauge",
    labels: ["provider_name", "key_id_hash", "apiserver_id_hash"],
    help: "When a KMS plugin said last that this is its key, in seconds since 1970.",
  },
  kmsInvalidKeyIds: {
    name: "apiserver_envelope_encryption_invalid_key_id_from_status_total",
    type: "counter",
    labels: ["provider_name", "error"],
    help: "Keys that a KMS plugin named and that cannot be one.",
  },
  kmsKnownKeys: {
    name: "apiserver_envelope_encryption_dek_source_cache_size",
    type: "gauge",
    labels: ["provider_name"],
    help: "Decrypted keys that are remembered.",
  },
} satisfies Record<string, MetricDefinition>;
