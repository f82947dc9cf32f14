// Reads the object of a write: parses it, checks its kind, decodes it strictly or not, fills in defaults and converts it
// to the version that is stored.
import { decode, type Decoded, DecodeError, type DecodeOptions } from "../machinery/codec/decode.ts";
import { mergeRepeats } from "../machinery/codec/repeats.ts";
import { badRequestError, type StatusError } from "../machinery/errors.ts";
import { builtinSchema } from "../machinery/schema/builtin.ts";
import {
  apiVersionOf,
  type GroupVersionKind,
  type Json,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from "../machinery/types.ts";
import { internalPackage } from "./answer.ts";
import { summarizeBody } from "./body.ts";
import { JSON_TYPE } from "./negotiation.ts";
import type { FieldValidation } from "./options.ts";
import type { ServedKind } from "../registry/resource.ts";
import type { Scope } from "./scope.ts";
import { NO_TYPE_META, TypeMetaError, typeMetaOf } from "../machinery/codec/type_meta.ts";
import { BodySyntaxError, parseBody, type ParsedBody, repeatedKeysProblem } from "./serialize.ts";

/** The object of a POST or PUT, as the registry wants it. Throws 400. */
export async function decodeObject(
  scope: Scope,
  body: Uint8Array,
  mediaType: string,
  validation: FieldValidation,
): Promise<KubeObject> {
  const { kind } = scope;
  const parsed = await parse(kind, body, mediaType), { source } = parsed;
  const value = source?.repeats && !kind.custom ? mergeRepeats(source.text) : parsed.value;
  const gvk = kindOfBody(kind, value, { body, source });
  const refuse = (why: string) =>
    badRequestError(
      `${gvk.kind} in version ${JSON.stringify(gvk.version)} cannot be handled as a ${kind.gvk.kind}: ${why}`,
    );
  checkKind(scope, gvk, refuse);
  const { object, strictErrors } = decodeValue(
    kind,
    value,
    { source, strict: validation !== "Ignore" },
    refuse,
  );
  const problems = [...repeatedKeysProblem(parsed), ...strictErrors];
  if (problems.length > 0) {
    if (validation === "Strict") throw refuse(`strict decoding error: ${problems.join(", ")}`);
    if (validation === "Warn") {
      for (const problem of [...parsed.repeatedKeys ?? [], ...strictErrors]) scope.addWarning(problem);
    }
  }
  kind.setDefaults(object);
  return await kind.toStored(object);
}

async function parse(kind: ServedKind, body: Uint8Array, mediaType: string): Promise<ParsedBody> {
  try {
    return await parseBody(body, mediaType);
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw unrecognized(kind, mediaType === JSON_TYPE ? NO_TYPE_META + error.message : error.message, body);
  }
}

/** Kind and apiVersion of a JSON object, the served ones where it has none; undefined when they are no such thing. */
export function kindOfObject(served: ServedKind, object: JsonObject): GroupVersionKind | undefined {
  const { kind, apiVersion } = object;
  const gv = apiVersion ? typeof apiVersion === "string" ? parseApiVersion(apiVersion) : undefined : served.gvk;
  if (gv === undefined || kind && typeof kind !== "string") return undefined;
  return { group: gv.group, version: gv.version, kind: kind as string || served.gvk.kind };
}

function unrecognized(kind: ServedKind, why: string, body: Uint8Array): StatusError {
  return badRequestError(
    `the object provided is unrecognized (must be of type ${kind.gvk.kind}): ${why} (${summarizeBody(body)})`,
  );
}

interface KindSource {
  body: Uint8Array;
  source: ParsedBody["source"];
}

/** Custom resources have to say what they are. */
const UNSAID: GroupVersionKind = { group: "", version: "", kind: "" };

/** Kind and apiVersion of the body, of built-in kinds the path's where the body has none. */
function kindOfBody(served: ServedKind, value: Json, { body, source }: KindSource): GroupVersionKind {
  try {
    const gvk = typeMetaOf(value, served.custom ? UNSAID : served.gvk);
    if (gvk.kind !== "") return gvk;
    const shown = source?.text ?? JSON.stringify(value);
    throw new TypeMetaError(`Object 'Kind' is missing in '${shown}'`);
  } catch (error) {
    throw error instanceof TypeMetaError ? unrecognized(served, error.message, body) : error;
  }
}

/** Whether both are the same kind in some version: what the real server can convert into one another. */
function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && internalPackage(a.group) === internalPackage(b.group);
}

function checkKind(
  { kind: served, storage }: Scope,
  gvk: GroupVersionKind,
  refuse: (why: string) => StatusError,
): void {
  const want = served.gvk;
  const given = apiVersionOf(gvk);
  if (gvk.kind === want.kind && (given === apiVersionOf(want) || storage.acceptedVersions?.includes(given))) return;
  if (served.custom) {
    if (given === apiVersionOf(want)) throw refuse(`unexpected kind ${gvk.kind}`);
  } else if (builtinSchema().typeOfKind(gvk) === undefined && gvk.kind !== "List") {
    throw refuse(
      `no kind ${JSON.stringify(gvk.kind)} is registered for version ${
        JSON.stringify(given)
      } in scheme "pkg/runtime/scheme.go:111"`,
    );
  } else if (!isSameKind(gvk, want)) {
    const into = `${internalPackage(want.group)}.${want.kind}`;
    throw refuse(`converting (${gvk.version}.${gvk.kind}) to (${into}): unknown conversion`);
  }
  throw badRequestError(
    `the API version in the data (${given}) does not match the expected API version (${apiVersionOf(want)})`,
  );
}

function decodeValue(
  kind: ServedKind,
  value: Json,
  options: DecodeOptions,
  refuse: (why: string) => StatusError,
): Decoded {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = (value ?? {}) as JsonObject;
  const typed = { kind: kind.gvk.kind, apiVersion: apiVersionOf(kind.gvk), ...rest };
  try {
    const decoded = decode(kind.type, typed, options);
    decoded.object.metadata ??= {};
    return decoded;
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(error.message);
    throw error;
  }
}
