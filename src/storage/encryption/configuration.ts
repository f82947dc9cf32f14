// The EncryptionConfiguration file (--encryption-provider-config): which resources are encrypted, and by whom.
import { fromBase64 } from "../../machinery/bytes.ts";
import { type ConfigurationKind, durationOf, parseConfigurationFile } from "../../machinery/configuration_file.ts";
import { type FieldError, formatFieldError, invalid, type Path, path, required } from "../../machinery/field_error.ts";
import type { Json, JsonObject } from "../../machinery/types.ts";

/** Resources, and the providers for them; the first one writes. */
export interface ResourceEncryption {
  /** `secrets`, `widgets.example.com`, `*.apps`, `*.` (the core group), `*.*`. */
  resources: readonly string[];
  providers: readonly ProviderConfig[];
}

export type ProviderConfig =
  | { type: "identity" }
  | { type: "aesgcm" | "aescbc" | "secretbox"; keys: readonly { name: string; secret: Uint8Array }[] }
  | { type: "kms"; name: string; endpoint: string; timeout: number };

const KEYS = { keys: [{ name: "string", secret: "string" }] } as const;

const KIND: ConfigurationKind = {
  group: "apiserver.config.k8s.io",
  versions: ["v1"],
  kind: "EncryptionConfiguration",
  shape: {
    resources: [{
      resources: "strings",
      providers: [{
        aesgcm: KEYS,
        aescbc: KEYS,
        secretbox: KEYS,
        identity: {},
        kms: { apiVersion: "string", name: "string", endpoint: "string", timeout: "string" },
      }],
    }],
  },
};

const KMS_TIMEOUT = 3000;

/** Sizes of keys, in bytes. */
const KEY_SIZES = { aesgcm: [16, 24, 32], aescbc: [16, 24, 32], secretbox: [32] } as const;

/** Throws an Error with everything that is wrong, as kube-apiserver words it. */
export async function parseEncryptionConfiguration(text: string): Promise<ResourceEncryption[]> {
  const { resources } = await parseConfigurationFile(text, KIND);
  const root = path("resources"), errors: FieldError[] = [];
  const listed = (resources ?? []) as JsonObject[];
  if (listed.length === 0) errors.push(required(root, "at least one resources is required"));
  const kmsNames = new Set<string>();
  const parsed = listed.map((entry, i) => {
    const names = (entry.resources ?? []) as string[], providers = (entry.providers ?? []) as JsonObject[];
    const r = root.index(i).child("resources"), p = root.index(i).child("providers");
    if (names.length === 0) errors.push(required(r, `at least one ${r.text} is required`));
    errors.push(...overlaps(names, r), ...names.flatMap((name, j) => wrongName(name, r.index(j))));
    if (providers.length === 0) errors.push(required(p, `at least one ${p.text} is required`));
    return {
      resources: names,
      providers: providers.flatMap((provider, j) => providerOf(provider, p.index(j), { errors, kmsNames }) ?? []),
    };
  });
  if (errors.length > 0) throw new Error(errors.map(formatFieldError).join(", "));
  return parsed;
}

/** The resources of one entry may not hide one another. */
function overlaps(names: readonly string[], at: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (new Set(names).size < names.length) {
    errors.push(invalid(at, names, "the same resource cannot be specified multiple times"));
  }
  const parts = [...new Set(names)].map(partsOf);
  const hidden = parts.some((a, i) =>
    parts.some((b, j) => i !== j && (a.group === "*" || (a.group === b.group && a.resource === "*")))
  );
  if (hidden) {
    const why = "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as " +
      "they will be masked";
    errors.push(invalid(at, names, why));
  }
  return errors;
}

const NO_API: readonly string[] = ["apiserveripinfo", "serviceipallocations", "servicenodeportallocations"];

function wrongName(name: string, at: Path): FieldError[] {
  const wrong = (why: string) => [invalid(at, name, why)];
  if (name !== name.toLowerCase()) return wrong("resource name should not contain capital letters");
  if (name === "*") {
    return wrong("use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources");
  }
  if (NO_API.includes(name)) return wrong("resources which do not have REST API/s cannot be encrypted");
  const { group, resource } = partsOf(name);
  if (group === "events.k8s.io") {
    return wrong(
      "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file",
    );
  }
  if (group === "extensions") return wrong("'extensions' group has been removed and cannot be used for encryption");
  if (group === "*" && resource !== "*") return wrong("encrypting the same resource across groups is not supported");
  return [];
}

/** `widgets.example.com` → `widgets` of `example.com`. */
export function partsOf(name: string): { group: string; resource: string } {
  const dot = name.indexOf(".");
  return dot < 0 ? { group: "", resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
}

interface Found {
  errors: FieldError[];
  kmsNames: Set<string>;
}

function providerOf(provider: JsonObject, at: Path, found: Found): ProviderConfig | undefined {
  const types = Object.keys(provider).filter((type) => provider[type] !== null);
  if (types.length !== 1) {
    const why = types.length === 0
      ? "provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity"
      : "more than one provider specified in a single element, should split into different list elements";
    found.errors.push(invalid(at, provider, why));
    return undefined;
  }
  const [type] = types, value = provider[type] as JsonObject;
  if (type === "identity") return { type };
  if (type === "kms") return kmsOf(value, at.child("kms"), found);
  const known = type as keyof typeof KEY_SIZES, keys = (value.keys ?? []) as JsonObject[];
  const keysAt = at.child(type, "keys");
  if (keys.length === 0) found.errors.push(required(keysAt, "at least one keys is required"));
  return {
    type: known,
    keys: keys.map((key, i) => keyOf(key, keysAt.index(i), { sizes: KEY_SIZES[known], ...found })),
  };
}

function keyOf(
  { name = "", secret = "" }: JsonObject,
  at: Path,
  { sizes, errors }: Found & { sizes: readonly number[] },
): { name: string; secret: Uint8Array } {
  if (name === "") errors.push(required(at.child("name"), "name is a mandatory field for a key"));
  const bytes = fromBase64(secret as string), field = at.child("secret");
  if (secret === "") errors.push(required(field, "secret is a mandatory field for a key"));
  else if (bytes === undefined) errors.push(invalid(field, "REDACTED", "secrets must be base64 encoded"));
  else if (!sizes.includes(bytes.length)) {
    const why = `secret is not of the expected length, got ${bytes.length}, expected one of [${sizes.join(" ")}]`;
    errors.push(invalid(field, "REDACTED", why));
  }
  return { name: name as string, secret: bytes ?? new Uint8Array() };
}

function kmsOf(value: JsonObject, at: Path, { errors, kmsNames }: Found): ProviderConfig {
  const { apiVersion = "v1", name = "", endpoint = "" } = value as Record<string, string | undefined>;
  if (name === "") errors.push(required(at.child("name"), "name is a mandatory field for a provider"));
  if (name.includes(":")) {
    errors.push(invalid(at.child("name"), name, `invalid KMS provider name ${name}, must not contain ':'`));
  }
  if (kmsNames.has(name)) {
    errors.push(invalid(at.child("name"), name, `duplicate KMS provider name ${name}, names must be unique`));
  }
  kmsNames.add(name);
  const timeout = timeoutOf(value.timeout, at.child("timeout"), errors);
  const url = URL.parse(endpoint), field = at.child("endpoint");
  if (endpoint === "") errors.push(invalid(field, "", "endpoint is a mandatory field for a kms"));
  else if (url?.protocol !== "unix:") {
    const scheme = JSON.stringify(url?.protocol.slice(0, -1) ?? "");
    errors.push(invalid(field, endpoint, `unsupported scheme ${scheme} for KMS provider, only unix is supported`));
  }
  if (apiVersion === "v1") {
    const why = "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.";
    errors.push(invalid(at.child("apiVersion"), apiVersion, why));
  } else if (apiVersion !== "v2") {
    const why = "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported";
    errors.push(invalid(at.child("apiVersion"), apiVersion, why));
  }
  return { type: "kms", name, endpoint, timeout };
}

function timeoutOf(value: Json | undefined, at: Path, errors: FieldError[]): number {
  const timeout = durationOf(value, at.text) ?? KMS_TIMEOUT;
  if (timeout <= 0) errors.push(invalid(at, value, "timeout should be a positive value"));
  return timeout;
}
