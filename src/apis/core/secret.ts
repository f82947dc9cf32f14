// Secrets: bytes by key; each type wants keys of its own.
import { syntaxError } from "../../machinery/codec/syntax.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { collect, deepEqual, type Field, isConfigMapKey, validateImmutable } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { Secret } from "../../facts/generated/types.ts";
import { jsonKind } from "../../machinery/go_text.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";
import { decodedLength, fillEmpty } from "./bytes_data.ts";
import { keyPairProblem } from "./secret_tls.ts";
import { lookUp } from "../../machinery/look_up.ts";

type SecretObject = KubeObject & Secret;

const MAX_BYTES = 1024 * 1024;
const ACCOUNT_NAME = "kubernetes.io/service-account.name";
const TLS = "kubernetes.io/tls";
const FROZEN = "field is immutable when `immutable` is set";

function setDefaults(secret: SecretObject): void {
  secret.type ||= "Opaque";
  fillEmpty(secret.data);
  if (secret.stringData === undefined) return;
  // stringData is only a way of writing: what it holds is kept as data.
  secret.data ??= {};
  for (const [key, value] of Object.entries(secret.stringData)) secret.data[key] = base64(value);
  secret.data = Object.fromEntries(Object.entries(secret.data).sort(([a], [b]) => a < b ? -1 : 1));
  delete secret.stringData;
}

function base64(value: string): string {
  return new TextEncoder().encode(value).toBase64();
}

function decoded(value: string | undefined): string {
  return value ? new TextDecoder().decode(Uint8Array.fromBase64(value)) : "";
}

function check(secret: SecretObject, root: Field): void {
  checkMeta(secret, root, { namespaced: true });
  const { data = {} } = secret, at = root.child("data");
  let size = 0;
  for (const key of Object.keys(data).sort()) {
    at.key(key).invalidEach(key, isConfigMapKey(key));
    size += decodedLength(data[key]);
  }
  if (size > MAX_BYTES) at.tooLong(MAX_BYTES);
  lookUp(TYPE_RULES, secret.type ?? "")?.(secret, root);
}

/** What secrets of a type must have. */
const TYPE_RULES: Readonly<Record<string, (secret: SecretObject, root: Field) => void>> = {
  "kubernetes.io/service-account-token"({ metadata }, root) {
    if (!metadata.annotations?.[ACCOUNT_NAME]) root.child("metadata", "annotations").key(ACCOUNT_NAME).required();
  },
  "kubernetes.io/dockercfg": (secret, root) => checkJson(secret, ".dockercfg", root),
  "kubernetes.io/dockerconfigjson": (secret, root) => checkJson(secret, ".dockerconfigjson", root),
  "kubernetes.io/basic-auth"({ data = {} }, root) {
    if ("username" in data || "password" in data) return;
    for (const key of ["username", "password"]) root.child("data").key(key).required();
  },
  "kubernetes.io/ssh-auth"({ data = {} }, root) {
    if (!data["ssh-privatekey"]) root.child("data").key("ssh-privatekey").required();
  },
  [TLS]({ data = {} }, root) {
    for (const key of ["tls.crt", "tls.key"]) if (!(key in data)) root.child("data").key(key).required();
  },
};

/** A JSON object whose members are nobody's business. */
function checkJson({ data = {} }: SecretObject, key: string, root: Field): void {
  const at = root.child("data").key(key);
  if (!(key in data)) return at.required();
  const problem = objectProblem(decoded(data[key]));
  if (problem !== undefined) at.invalid("<secret contents redacted>", problem);
}

function objectProblem(text: string): string | undefined {
  const wrong = syntaxError(text);
  if (wrong !== undefined) return wrong;
  const value: unknown = JSON.parse(text);
  const kind = jsonKind(value);
  if (kind !== "object") return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
}

function warnings({ type, data = {} }: SecretObject): string[] {
  const problem = type === TLS ? keyPairProblem(decoded(data["tls.crt"]), decoded(data["tls.key"])) : undefined;
  return problem === undefined ? [] : [problem];
}

export const secret: KindDefinition<SecretObject> = {
  gvk: { group: "", version: "v1", kind: "Secret" },
  resource: "secrets",
  setDefaults,
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root)),
  prepareForUpdate(object, old) {
    // A client that does not know of the type leaves it out.
    object.type ||= old.type;
  },
  validateUpdate: (object, old) =>
    collect((root) => {
      checkMetaUpdate(object, old, root);
      validateImmutable({ now: object.type, before: old.type }, root.child("type"));
      if (old.immutable) {
        if (!object.immutable) root.child("immutable").forbidden(FROZEN);
        if (!deepEqual(object.data, old.data)) root.child("data").forbidden(FROZEN);
      }
      check(object, root);
    }),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
  fields: (object) => ({ type: object.type ?? "" }),
  columns: [
    NAME,
    text("Type", "What the secret is for.", (o) => o.type ?? ""),
    text("Data", "Number of keys.", (o) => Object.keys(o.data ?? {}).length),
    AGE,
  ],
};
