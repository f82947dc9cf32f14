// Reads the object of a write: parses it, checks its kind, decodes it strictly or not, fills in defaults and converts it
// to the version that is stored.
import { decode, type Decoded, DecodeError, type DecodeOptions } from "../machinery/codec/decode.ts";
import { mergeRepeats } from "../machinery/codec/repeats.ts";
import { badRequestError, type StatusError } from "../machinery/errors.ts";
import { goQuote } from "../machinery/go_text.ts";
import type { StructType } from "../machinery/schema/model.ts";
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
import { strangerType } from "./stranger.ts";
import { NO_TYPE_META, TypeMetaError, typeMetaOf } from "../machinery/codec/type_meta.ts";
import { BodySyntaxError, parseBody, type ParsedBody, repeatedKeysProblem } from "./serialize.ts";

/** The object of a POST or PUT, as the registry wants it. Throws 400. */
export function decodeObject(
  scope: Scope,
  body: Uint8Array,
  mediaType: string,
  validation: FieldValidation,
): KubeObject | Promise<KubeObject> {
  const refuse = (error: unknown): never => {
    if (!(error instanceof BodySyntaxError)) throw error;
    const gvk = error.typeMeta && gvkOf(error.typeMeta);
    if (gvk !== undefined) throw refusal(scope.kind, gvk, error.message);
    throw unrecognized(scope.kind, mediaType === JSON_TYPE ? NO_TYPE_META + error.message : error.message, body);
  };
  let parsed: ParsedBody | Promise<ParsedBody>;
  try {
    parsed = parseBody(body, mediaType, scope.kind.gvk);
  } catch (error) {
    return refuse(error);
  }
  if (!(parsed instanceof Promise)) return decodeParsed(scope, parsed, { body, validation });
  return parsed.then((parsed) => decodeParsed(scope, parsed, { body, validation }), refuse);
}

function decodeParsed(
  scope: Scope,
  parsed: ParsedBody,
  { body, validation }: { body: Uint8Array; validation: FieldValidation },
): KubeObject | Promise<KubeObject> {
  const { kind } = scope, { source } = parsed;
  const value = source?.repeats && !kind.custom ? mergeRepeats(source.text) : parsed.value;
  const gvk = kindOfBody(kind, value, { body, source, validation });
  const refuse = (why: string) => refusal(kind, gvk, why);
  const isStranger = kind.custom && (gvk.kind !== kind.gvk.kind || apiVersionOf(gvk) !== apiVersionOf(kind.gvk));
  if (!isStranger) checkKind(scope, gvk, refuse);
  const type = isStranger ? strangerType(kind, gvk) : kind.type;
  const typed = withTypeMeta(value as JsonObject, isStranger ? gvk : kind.gvk);
  const { object, strictErrors } = decodeValue(type, typed, { source, strict: validation !== "Ignore" }, refuse);
  const problems = [...repeatedKeysProblem(parsed), ...strictErrors];
  if (problems.length > 0) {
    if (validation === "Strict") throw refuse(`strict decoding error: ${problems.join(", ")}`);
    if (validation === "Warn") {
      for (const problem of [...parsed.repeatedKeys ?? [], ...strictErrors]) scope.addWarning(problem);
    }
  }
  if (isStranger) {
    if (apiVersionOf(gvk) !== apiVersionOf(kind.gvk)) throw otherVersion(scope, gvk);
    return object;
  }
  kind.setDefaults(object);
  return kind.toStored(object);
}

function gvkOf({ kind, apiVersion }: { kind: string; apiVersion: string }): GroupVersionKind | undefined {
  const gv = parseApiVersion(apiVersion);
  return gv && { ...gv, kind };
}

function refusal(served: ServedKind, { kind, version }: GroupVersionKind, why: string): StatusError {
  return badRequestError(
    `${kind} in version ${goQuote(version)} cannot be handled as a ${served.gvk.kind}: ${why}`,
  );
}

function otherVersion({ kind }: Scope, gvk: GroupVersionKind): StatusError {
  return badRequestError(
    `the API version in the data (${apiVersionOf(gvk)}) does not match the expected API version (${
      apiVersionOf(kind.gvk)
    })`,
  );
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
  validation: FieldValidation;
  body: Uint8Array;
  source: ParsedBody["source"];
}

/** Custom resources have to say what they are. */
const UNSAID: GroupVersionKind = { group: "", version: "", kind: "" };

/** Kind and apiVersion of the body, of built-in kinds the path's where the body has none. */
function kindOfBody(served: ServedKind, value: Json, { body, source, validation }: KindSource): GroupVersionKind {
  let gvk: GroupVersionKind;
  try {
    gvk = typeMetaOf(value, served.custom ? UNSAID : served.gvk);
  } catch (error) {
    throw error instanceof TypeMetaError ? unrecognized(served, error.message, body) : error;
  }
  if (gvk.kind !== "") return gvk;
  const why = `Object 'Kind' is missing in '${source?.text ?? JSON.stringify(value)}'`;
  // A lenient decoder says which kind it would have taken it for.
  throw validation === "Ignore" ? refusal(served, served.gvk, why) : unrecognized(served, why, body);
}

/** Whether both are the same kind in some version: what the real server can convert into one another. */
function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && internalPackage(a.group) === internalPackage(b.group);
}

function checkKind(scope: Scope, gvk: GroupVersionKind, refuse: (why: string) => StatusError): void {
  const { gvk: want, custom } = scope.kind, given = apiVersionOf(gvk);
  const isAccepted = given === apiVersionOf(want) || scope.storage.acceptedVersions?.includes(given);
  if (custom || gvk.kind === want.kind && isAccepted) return;
  if (builtinSchema().typeOfKind(gvk) === undefined && gvk.kind !== "List") {
    throw refuse(
      `no kind ${goQuote(gvk.kind)} is registered for version ${goQuote(given)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (!isSameKind(gvk, want)) {
    const into = `${internalPackage(want.group)}.${want.kind}`;
    throw refuse(`converting (${gvk.version}.${gvk.kind}) to (${into}): unknown conversion`);
  }
  throw otherVersion(scope, gvk);
}

function withTypeMeta(value: JsonObject | null, gvk: GroupVersionKind): JsonObject {
  const apiVersion = apiVersionOf(gvk);
  if (value?.kind === gvk.kind && value.apiVersion === apiVersion) return value;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = value ?? {};
  return { kind: gvk.kind, apiVersion, ...rest };
}

function decodeValue(
  type: StructType,
  value: JsonObject,
  options: DecodeOptions,
  refuse: (why: string) => StatusError,
): Decoded {
  try {
    const decoded = decode(type, value, options);
    decoded.object.metadata ??= {};
    return decoded;
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(error.message);
    throw error;
  }
}
