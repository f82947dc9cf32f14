// Kind and apiVersion of a body, looked up before anything else of it.
import { jsonKind } from "../go_text.ts";
import { type GroupVersionKind, type Json, parseApiVersion } from "../types.ts";

/** A body whose kind cannot be told; the message is the real server's. */
export class TypeMetaError extends Error {}

/** How messages begin when a JSON text cannot even be looked into for its kind. */
export const NO_TYPE_META = "couldn't get version/kind; json parse error: ";

const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** @param defaults what counts where the body says nothing. Throws {@link TypeMetaError}. */
export function typeMetaOf(value: Json, defaults: GroupVersionKind): GroupVersionKind {
  if (value === null) return defaults;
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new TypeMetaError(
      `${NO_TYPE_META}json: cannot unmarshal ${jsonKind(value)} into Go value of type ${TYPE_META}`,
    );
  }
  const apiVersion = stringMember("apiVersion", value.apiVersion);
  const kind = stringMember("kind", value.kind);
  const gv = apiVersion === "" ? defaults : parseApiVersion(apiVersion);
  if (gv === undefined) throw new TypeMetaError(`unexpected GroupVersion string: ${apiVersion}`);
  return { group: gv.group, version: gv.version, kind: kind || defaults.kind };
}

function stringMember(name: string, value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw new TypeMetaError(
    `${NO_TYPE_META}json: cannot unmarshal ${jsonKind(value)} into Go struct field .${name} of type string`,
  );
}
