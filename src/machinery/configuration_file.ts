// Configuration files of kube-apiserver: YAML objects with kind and apiVersion, whose members have to be known ones.
import { parseDuration } from "./duration.ts";
import { lookUp } from "./look_up.ts";
import { isObject, type Json, type JsonObject } from "./types.ts";
import { parseYaml } from "./yaml/mod.ts";

/** The members of an object: values of a type, objects, or lists of objects. */
export interface Shape {
  readonly [member: string]: Scalar | Shape | readonly [Shape];
}

/** `strings`: a list of strings; `texts`: an object whose members are strings. */
type Scalar = "string" | "boolean" | "strings" | "texts";

export interface ConfigurationKind {
  group: string;
  versions: readonly string[];
  kind: string;
  shape: Shape;
}

/** Throws an Error that says what does not fit. */
export async function parseConfigurationFile(text: string, expected: ConfigurationKind): Promise<JsonObject> {
  const { value, duplicates } = await parseYaml(text);
  if (duplicates.length > 0) throw new Error(duplicates[0]);
  const { group, versions, kind, shape } = expected;
  if (!isObject(value) || value.kind !== kind || !versions.some((v) => value.apiVersion === `${group}/${v}`)) {
    const found = isObject(value) ? `${value.apiVersion ?? ""} ${value.kind ?? ""}` : "no object";
    throw new Error(`expected a ${kind} of ${group}/${versions.join(" or ")}, found ${found}`);
  }
  const { kind: _kind, apiVersion: _apiVersion, ...members } = value;
  checkMembers(members, shape, "");
  return members;
}

function checkMembers(object: JsonObject, shape: Shape, where: string): void {
  for (const [name, value] of Object.entries(object)) {
    const wanted = lookUp(shape, name),
      path = where === "" ? name : `${where}.${name}`;
    if (wanted === undefined) throw new Error(`unknown field "${path}"`);
    if (value === null || value === undefined) continue;
    if (typeof wanted === "string") checkScalar(value, wanted, path);
    else if (!Array.isArray(wanted)) checkObject(value, wanted as Shape, path);
    else if (!Array.isArray(value)) throw new Error(`${path} has to be a list`);
    else value.forEach((element, i) => checkObject(element, wanted[0], `${path}[${i}]`));
  }
}

const isText = (value: Json | undefined) => typeof value === "string";

/** What each must be, and whether it is. */
const SCALARS: Readonly<Record<Scalar, readonly [must: string, is: (value: Json) => boolean]>> = {
  string: ["a string", isText],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  strings: ["a list of strings", (value) => Array.isArray(value) && value.every(isText)],
  texts: ["an object of strings", (value) => isObject(value) && Object.values(value).every(isText)],
};

function checkScalar(value: Json, wanted: Scalar, path: string): void {
  const [must, is] = SCALARS[wanted];
  if (!is(value)) throw new Error(`${path} has to be ${must}`);
}

function checkObject(value: Json, shape: Shape, path: string): void {
  if (!isObject(value)) throw new Error(`${path} has to be an object`);
  checkMembers(value, shape, path);
}

/** Milliseconds of a text such as `30s`; undefined when it is none. Throws an Error for anything else. */
export function durationOf(value: Json | undefined, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const duration = typeof value === "string" ? parseDuration(value) : undefined;
  if (duration === undefined) throw new Error(`${path} is no duration: ${JSON.stringify(value)}`);
  return duration;
}
