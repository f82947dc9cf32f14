// Server-side apply (KEP-555): the body says what its manager wants, the field manager merges it in.
import { type ApplyInfo, applyObject, checkApplied, FieldPathError } from "../machinery/apply/mod.ts";
import { decode, DecodeError } from "../machinery/codec/decode.ts";
import { badRequestError, unknownError } from "../machinery/errors.ts";
import { structuralRoot } from "../machinery/schema/structural.ts";
import { apiVersionOf, type Json, type JsonObject, type KubeObject, parseApiVersion } from "../machinery/types.ts";
import { writeInfo } from "./managed_fields.ts";
import { YAML_TYPE } from "./negotiation.ts";
import type { WriteOptions } from "./options.ts";
import type { Scope } from "./scope.ts";
import { BodySyntaxError, parseBody, type ParsedBody } from "./serialize.ts";
import { clone } from "../machinery/clone.ts";
import { jsonKind } from "../machinery/go_text.ts";

/**
 * The object with the configuration applied, in the stored version.
 * @param current the stored object, undefined when the apply creates it
 */
export async function applyConfiguration(
  scope: Scope,
  body: Uint8Array,
  current: KubeObject | undefined,
  options: WriteOptions,
): Promise<KubeObject> {
  const { kind } = scope;
  const { value, repeatedKeys = [] } = await parse(body);
  const config = checkConfiguration(scope, value);
  const live = current && await kind.fromStored(clone(current));
  const applied = await merge({ ...writeInfo(scope, live, options), force: options.force ?? false }, config);
  reportDuplicates(scope, repeatedKeys, options);
  const object = decodeApplied(scope, applied);
  kind.setDefaults(object);
  return await kind.toStored(object);
}

/** Throws a 500 for fields that cannot be told apart. */
async function merge(info: ApplyInfo, config: KubeObject): Promise<KubeObject> {
  try {
    return await applyObject(info, config);
  } catch (error) {
    throw error instanceof FieldPathError ? unknownError(error.message) : error;
  }
}

async function parse(body: Uint8Array): Promise<ParsedBody> {
  try {
    return await parseBody(body, YAML_TYPE);
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw badRequestError(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

/** Throws 400, and 500 for what does not fit the type. */
function checkConfiguration({ kind }: Scope, value: Json): KubeObject {
  const config = value ?? {};
  if (typeof config !== "object" || Array.isArray(config)) {
    const what = jsonKind(config);
    throw badRequestError(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${what} ` +
        "into Go value of type map[string]interface {}",
    );
  }
  const gvk = kindText(config);
  if (config.apiVersion !== apiVersionOf(kind.gvk) || config.kind !== kind.gvk.kind) {
    throw badRequestError(`invalid object type: ${gvk}`);
  }
  const metadata = (config.metadata ?? {}) as JsonObject;
  if (metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequestError("metadata.managedFields must be nil");
  }
  const problems = checkApplied(kind.type, config);
  if (problems.length > 0) {
    const shown = problems.length === 1 ? problems[0] : `errors:\n  ${problems.join("\n  ")}`;
    const [namespace, name] = [metadata.namespace, metadata.name].map((text) => typeof text === "string" ? text : "");
    const who = `${namespace}/${name}; ${gvk}`;
    throw unknownError(`failed to create typed patch object (${who}): ${shown}`);
  }
  return { ...config, metadata } as unknown as KubeObject;
}

/** `apps/v1, Kind=Deployment` */
function kindText({ apiVersion, kind }: JsonObject): string {
  const { group, version } = parseApiVersion(String(apiVersion ?? "")) ?? { group: "", version: String(apiVersion) };
  return `${group}/${version}, Kind=${kind ?? ""}`;
}

function reportDuplicates(scope: Scope, duplicates: readonly string[], options: WriteOptions): void {
  if (duplicates.length === 0 || options.fieldValidation === "Ignore") return;
  const problem = `error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join("\n  ")}`;
  if (options.fieldValidation === "Strict") throw badRequestError(`error strict decoding YAML: ${problem}`);
  for (const duplicate of duplicates) scope.addWarning(duplicate);
}

/** A custom resource with all that it has, nulls included, which validation has to see. */
const ANY_CUSTOM = structuralRoot({ "x-kubernetes-preserve-unknown-fields": true }, "");

/** What came out of the merge as an object of its type, in its order. */
function decodeApplied({ kind }: Scope, applied: KubeObject): KubeObject {
  try {
    const { object } = decode(kind.custom ? ANY_CUSTOM : kind.type, applied as unknown as Json);
    object.metadata ??= {};
    return object;
  } catch (error) {
    if (error instanceof DecodeError) throw unknownError(`failed to convert merged object: ${error.message}`);
    throw error;
  }
}
