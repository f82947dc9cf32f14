// Objects that a server takes, out of ones with every field set: where it refuses a field, another value or none.
import type { TypeModel } from "../../src/machinery/schema/model.ts";
import type { Answer } from "./client.ts";
import { candidates, fullValue, type Path, withValue } from "./generate.ts";
import { at, type Kind, type Obj, type Send } from "./kinds.ts";

const MOST_ROUNDS = 200;

interface Cause {
  reason: string;
  message: string;
  field?: string;
}

/** The object with all other fields of its kind that are wanted (of the top level), as far as the server takes them. */
export async function fitted(kind: Kind, base: Obj, wanted: (field: string) => boolean, send: Send): Promise<Obj> {
  const full = fullValue(kind.type) as Obj, tried = new Map<string, number>();
  const more = Object.entries(full).filter(([field]) => !SELF.includes(field) && wanted(field));
  const labels = { labels: { x: "x" }, annotations: { x: "x" }, finalizers: ["example.com/x"] };
  let object = merged({ ...Object.fromEntries(more), metadata: labels }, base) as Obj;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const answer = await send(object);
    if (answer.status < 300) return object;
    const before = JSON.stringify(object), counts = tried.size;
    object = causesOf(answer).reduce((current, cause) => mended(kind, base, current, cause, tried), object);
    if (JSON.stringify(object) !== before || tried.size > counts) continue;
    const less = await withoutCulprit(base, object, answer, send);
    if (less === undefined) throw new Error(`${kind.name}: ${answer.status} ${answer.text}`);
    object = less;
  }
  throw new Error(`${kind.name}: still refused after ${MOST_ROUNDS} rounds`);
}

const SELF = ["kind", "apiVersion", "metadata"];

/**
 * Where no cause names a field that can go: the object without the one whose absence makes another answer, or without
 * the first ones that do so together.
 */
async function withoutCulprit(base: Obj, object: Obj, answer: Answer, send: Send): Promise<Obj | undefined> {
  const places = additions(base, object).filter(([field]) => !SELF.includes(String(field)));
  const other = async (less: Obj) => (await send(less)).text !== answer.text;
  for (const place of places) {
    const less = withValue(object, place, undefined);
    if (await other(less)) return less;
  }
  let less = object;
  for (const place of places) {
    less = withValue(less, place, undefined);
    if (await other(less)) return less;
  }
}

/** The places of what an object has and the base has not; not those within. */
function additions(base: unknown, object: unknown, path: Path = []): Path[] {
  if (typeof object !== "object" || object === null) return [];
  return Object.entries(object).flatMap(([name, value]) => {
    const own = (base as Record<string, unknown>)[name], at = [...path, Array.isArray(object) ? Number(name) : name];
    if (own === undefined) return [at];
    return typeof own === "object" ? additions(own, value, at) : [];
  });
}

function causesOf({ body }: Answer): Cause[] {
  return body?.details?.causes ?? [];
}

/** The object with another value where a cause says that something is wrong. */
function mended(kind: Kind, base: Obj, object: Obj, cause: Cause, tried: Map<string, number>): Obj {
  const wrong = parsed(cause.field ?? ""), there = existing(object, wrong);
  const isMissing = there.length === wrong.length - 1 && cause.reason === "FieldValueRequired";
  const given = addMissing(kind, object, isMissing ? wrong : [], tried);
  if (given !== undefined) return given;
  const own = at(base, there), name = there.join(".");
  if (there.length === 0 || own !== undefined) return object;
  const count = (tried.get(name) ?? 0) + 1;
  tried.set(name, count);
  const supported = /supported values: "([^"]*)"/.exec(cause.message)?.[1];
  const type = typeAt(kind.type, there);
  const choices = type === undefined ? [] : candidates(type, String(there[there.length - 1]));
  const value = count === 1 && supported !== undefined && type?.kind === "string" ? supported : choices[count];
  return withValue(object, there, value);
}

/** The object with the first value of what is required, unless that was tried before. */
function addMissing(kind: Kind, object: Obj, path: Path, tried: Map<string, number>): Obj | undefined {
  const type = typeAt(kind.type, path), name = path.join(".");
  if (path.length === 0 || type === undefined || tried.has(name)) return undefined;
  tried.set(name, 0);
  return withValue(object, path, candidates(type, String(path[path.length - 1]))[0]);
}

/** `spec.containers[0].name`, `metadata.labels[a.b/c]` */
function parsed(field: string): Path {
  return [...field.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)].map(([, member, key]) =>
    member ?? (/^\d+$/.test(key) ? Number(key) : key)
  );
}

/** The part of a path that is there: of what is missing its owner is what can be changed. */
function existing(object: Obj, path: Path): Path {
  const missing = path.findIndex((_, i) => at(object, path.slice(0, i + 1)) === undefined);
  return missing < 0 ? path : path.slice(0, missing);
}

function typeAt(type: TypeModel, path: Path): TypeModel | undefined {
  return path.reduce<TypeModel | undefined>((found, step) => {
    switch (found?.kind) {
      case "struct":
        return found.fields.get(String(step))?.type;
      case "list":
        return found.element;
      case "map":
        return found.value;
    }
  }, type);
}

/** Members of both; where both have one, the second's. */
function merged(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return b.map((item, i) => i < a.length ? merged(a[i], item) : item);
  const objects = [a, b].every((value) => typeof value === "object" && value !== null && !Array.isArray(value));
  if (!objects) return b;
  const members: Record<string, unknown> = { ...a as object };
  for (const [name, value] of Object.entries(b as object)) {
    members[name] = name in members ? merged(members[name], value) : value;
  }
  return members;
}
