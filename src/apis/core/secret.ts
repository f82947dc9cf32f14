// Secrets: bytes by key; each type wants keys of its own.
import { type FieldError, path } from "../../machinery/field_error.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { collect, deepEqual, type Field, isConfigMapKey } from "../../machinery/validation/mod.ts";
import { validateObjectMeta } from "../../machinery/validation/object_meta.ts";
import { nameIsDNSSubdomain } from "../../machinery/validation/names.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { Secret } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type SecretObject = KubeObject & Secret;

const META = {
  namespaced: true,
  validateName: nameIsDNSSubdomain,
  path: path("metadata"),
  standardFinalizers: true,
};
const MAX_BYTES = 1024 * 1024;
const ACCOUNT_NAME = "kubernetes.io/service-account.name";

function setDefaults(secret: SecretObject): void {
  secret.type ||= "Opaque";
  if (secret.stringData === undefined) return;
  // stringData is only a way of writing: what it holds is kept as data.
  secret.data ??= {};
  for (const [key, value] of Object.entries(secret.stringData)) secret.data[key] = base64(value);
  secret.data = Object.fromEntries(Object.entries(secret.data).sort(([a], [b]) => a < b ? -1 : 1));
  delete secret.stringData;
}

function base64(value: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(value)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function decodedLength(value: string): number {
  return value.length / 4 * 3 - (value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0);
}

/** Types with keys that must be there. */
const REQUIRED_KEYS: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

function check(secret: SecretObject, root: Field): void {
  const { data = {}, type = "", metadata } = secret, at = root.child("data");
  let size = 0;
  for (const key of Object.keys(data).sort()) {
    at.key(key).invalidEach(key, isConfigMapKey(key));
    size += decodedLength(data[key]);
  }
  if (size > MAX_BYTES) at.tooLong(MAX_BYTES);
  if (type === "kubernetes.io/service-account-token" && !metadata.annotations?.[ACCOUNT_NAME]) {
    root.child("metadata", "annotations").key(ACCOUNT_NAME).required();
  }
  if (type === "kubernetes.io/basic-auth" && !("username" in data) && !("password" in data)) {
    at.key("username").required();
    at.key("password").required();
  }
  for (const key of REQUIRED_KEYS[type] ?? []) {
    if (!(key in data)) at.key(key).required();
    else if (key.startsWith(".docker")) checkJson(data[key], at.key(key));
  }
}

function checkJson(value: string, at: Field): void {
  try {
    JSON.parse(atob(value));
  } catch {
    at.invalid("<secret contents redacted>", "invalid character 'o' in literal null (expecting 'u')");
  }
}

export const secret: KindDefinition<SecretObject> = {
  gvk: { group: "", version: "v1", kind: "Secret" },
  resource: "secrets",
  setDefaults,
  validate: (object) => collect((root) => check(object, root)),
  prepareForUpdate(object, old) {
    // A client that does not know of the type leaves it out.
    object.type ||= old.type;
  },
  validateUpdate(object, old): FieldError[] {
    return collect((root) => {
      if (object.type !== old.type) root.child("type").invalid(object.type ?? "", "field is immutable");
      if (old.immutable) {
        const frozen = "field is immutable when `immutable` is set";
        if (!object.immutable) root.child("immutable").forbidden(frozen);
        if (!deepEqual(object.data, old.data)) root.child("data").forbidden(frozen);
      }
      root.add(validateObjectMeta(object.metadata, META));
      check(object, root);
    });
  },
  fields: (object) => ({ type: object.type ?? "" }),
  columns: [
    NAME,
    text("Type", "What the secret is for.", (o) => o.type ?? ""),
    text("Data", "Number of keys.", (o) => Object.keys(o.data ?? {}).length),
    AGE,
  ],
};
