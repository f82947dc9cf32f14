// What encryption tells the server's metrics.
import { createHash } from "node:crypto";
import { formatGroupResource, type GroupResource } from "../../machinery/types.ts";
import type { Metrics } from "../../metrics/mod.ts";
import { grpcCodeName, grpcCodeOf } from "../grpc/codes.ts";
import type { Observe, TransformationType } from "./transformer.ts";

/** Told of what is done with the keys of one KMS plugin. */
export interface KmsMeasures {
  /** A call of the plugin; `error` when it failed. */
  called(method: string, seconds: number, error?: unknown): void;
  /** A value was encrypted or decrypted with a key. */
  keyUsed(type: TransformationType, keyId: string): void;
  /** The plugin named its key. */
  keyNamed(keyId: string): void;
  seedMade(seconds: number): void;
  /** How many decrypted keys are remembered. */
  keysKnown(count: number): void;
}

export interface EncryptionMeasures {
  /** Of the values of one resource. */
  transformed(resource: GroupResource): Observe;
  kms(provider: string): KmsMeasures;
  /** The configuration is in use. */
  applied(text: string): void;
  reloaded(status: "success" | "failure"): void;
}

/** @param serverId what tells this server from others of the same cluster */
export function encryptionMeasures(metrics: Metrics, serverId: string): EncryptionMeasures {
  const apiserver_id_hash = hashOf(serverId);
  return {
    transformed(resource) {
      const name = formatGroupResource(resource);
      return (type, prefix, seconds, error) => {
        const labels = { transformation_type: type, transformer_prefix: prefix };
        metrics.add("transformations", { ...labels, resource: name, status: statusOf(error) });
        if (error === undefined) metrics.observe("transformationDuration", labels, seconds);
      };
    },
    kms: (provider) => kmsMeasures(metrics, provider, apiserver_id_hash),
    applied(text) {
      metrics.clear("encryptionConfig");
      metrics.set("encryptionConfig", { apiserver_id_hash, hash: hashOf(text) }, 1);
    },
    reloaded(status) {
      metrics.add("encryptionReloads", { status, apiserver_id_hash });
      metrics.set("encryptionReloadTime", { status, apiserver_id_hash }, Date.now() / 1000);
    },
  };
}

function kmsMeasures(metrics: Metrics, provider_name: string, apiserver_id_hash: string): KmsMeasures {
  // Every value of a resource has the same few keys.
  const hashes = new Map<string, string>();
  const labelsOf = (keyId: string) => {
    let key_id_hash = hashes.get(keyId);
    if (key_id_hash === undefined) hashes.set(keyId, key_id_hash = keyId === "" ? "" : hashOf(keyId));
    return { provider_name, key_id_hash, apiserver_id_hash };
  };
  return {
    called(method_name, seconds, error) {
      const grpc_status_code = error === undefined ? "OK" : grpcCodeName(grpcCodeOf(error));
      metrics.observe("kmsDuration", { provider_name, method_name, grpc_status_code }, seconds);
    },
    keyUsed(transformation_type, keyId) {
      const labels = { ...labelsOf(keyId), transformation_type };
      metrics.add("kmsKeyUses", labels);
      metrics.set("kmsKeyUseTime", labels, Date.now() / 1000);
    },
    keyNamed(keyId) {
      if (keyId === "") metrics.add("kmsInvalidKeyIds", { provider_name, error: "empty" });
      else metrics.set("kmsKeyStatusTime", labelsOf(keyId), Date.now() / 1000);
    },
    seedMade: (seconds) => metrics.observe("dataKeyDuration", {}, seconds),
    keysKnown: (count) => metrics.set("kmsKnownKeys", { provider_name }, count),
  };
}

/** What kube-apiserver calls the outcome of a transformation. */
function statusOf(error: unknown): string {
  if (error === undefined) return "OK";
  const code = grpcCodeOf(error);
  return code === undefined ? "unknown-non-grpc" : grpcCodeName(code);
}

function hashOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
