// Random writes of one object by several managers.
import type { Json, JsonObject } from "../../src/machinery/types.ts";
import { isObject } from "../../src/machinery/types.ts";
import type { Random } from "../support/random.ts";
import type { Subject } from "./patch_subjects.ts";

/** A request on one of the two servers, of which only the server's own object differs. */
export interface Step {
  method: "POST" | "PUT" | "PATCH";
  path: string;
  contentType: string;
  /** @param current what the server has at the path; undefined where it has nothing */
  body(current: JsonObject | undefined): Json;
  /** The path whose object `body` wants. */
  needs: string | undefined;
}

const MANAGERS = ["alice", "bob", "carol"];
const JSON_TYPE = "application/json";
const PATCH_TYPES = ["json-patch", "merge-patch", "strategic-merge-patch"];

interface Target {
  subject: Subject;
  name: string;
  random: Random;
}

/** The first step of a sequence makes the object. */
export function firstStep(target: Target): Step {
  return target.random.chance(0.3) ? apply(target, "") : create(target);
}

export function nextStep(target: Target): Step {
  const { random, subject } = target;
  const subresource = random.chance(0.8)
    ? ""
    : random.of(["/status", ...subject.hasScale ? ["/scale"] : []].filter(() => subject.statusParts.length > 0));
  const roll = random.next(), below = subresource ?? "";
  if (roll < 0.3) return update(target, below);
  // kube-apiserver answers a scale that is applied to a custom resource with a 500: it converts it as one of those.
  return roll < 0.6 || below === "/scale" && subject.custom ? patch(target, below) : apply(target, below);
}

function create(target: Target): Step {
  const object = whole(target, [target.subject.base, ...someParts(target, "")]);
  const path = collectionOf(target, object.apiVersion as string);
  return { method: "POST", path: path + query(target), contentType: JSON_TYPE, body: () => object, needs: undefined };
}

function collectionOf({ subject }: Target, apiVersion: string): string {
  return subject.collection.replace(`/${subject.apiVersions[0]}/`, `/${apiVersion}/`);
}

function query({ random }: Target, more = ""): string {
  const terms = [
    random.chance(0.9) ? `fieldManager=${random.of(MANAGERS)}` : "",
    random.chance(0.05) ? "dryRun=All" : "",
    random.chance(0.15) ? `fieldValidation=${random.of(["Strict", "Ignore", "Warn"])}` : "",
    more,
  ];
  return `?${terms.filter((term) => term !== "").join("&")}`;
}

function someParts({ subject, random }: Target, subresource: string): JsonObject[] {
  const parts = subresource === "/status"
    ? subject.statusParts
    : subresource === "/scale"
    ? [{ spec: { replicas: random.below(4) } }]
    : subject.parts;
  return Array.from({ length: 1 + random.below(subresource === "" ? 4 : 2) }, () => random.of(parts));
}

function whole({ subject, name, random }: Target, parts: readonly JsonObject[]): JsonObject {
  const object = parts.reduce<Json>(joined, {}) as JsonObject;
  const metadata = isObject(object.metadata) ? object.metadata : {};
  return { apiVersion: random.of(subject.apiVersions), kind: subject.kind, ...object, metadata: { ...metadata, name } };
}

/** Members and keyed elements of both; what both have is the second's. */
function joined(a: Json, b: Json): Json {
  if (isObject(a) && isObject(b)) {
    const out: JsonObject = { ...a };
    for (const [name, value] of Object.entries(b)) out[name] = name in out ? joined(out[name]!, value!) : value;
    return out;
  }
  if (!Array.isArray(a) || !Array.isArray(b) || a.length === 0 || b.length === 0) return b;
  const out = a.slice();
  for (const element of b) {
    const at = out.findIndex((other) => keyOf(other) === keyOf(element));
    if (at < 0) out.push(element);
    else out[at] = joined(out[at], element);
  }
  return out;
}

const KEYS = ["name", "port", "containerPort", "type", "uid", "ip", "mountPath", "key"];

function keyOf(element: Json): string {
  if (!isObject(element)) return JSON.stringify(element);
  const key = KEYS.find((name) => name in element);
  return key === undefined ? "" : `${key}=${element[key]},${element.protocol ?? ""}`;
}

function update(target: Target, subresource: string): Step {
  const { random, name } = target, parts = someParts(target, subresource), { apiVersions } = target.subject;
  const apiVersion = random.of(apiVersions), item = `${collectionOf(target, apiVersion)}/${name}${subresource}`;
  const removed = random.next(), clears = random.chance(0.03), stale = random.chance(0.3);
  return {
    method: "PUT",
    path: item + query(target),
    contentType: JSON_TYPE,
    needs: item,
    body(current) {
      let object = parts.reduce<Json>(joined, current ?? { metadata: { name } }) as JsonObject;
      if (removed < 0.4 && subresource === "") object = without(object, removed / 0.4);
      const metadata: JsonObject = { ...object.metadata as JsonObject, ...clears && { managedFields: [] } };
      if (stale) delete metadata.resourceVersion;
      return { ...object, metadata };
    },
  };
}

/** Without one of its members, picked by a number below 1. */
function without(object: JsonObject, pick: number): JsonObject {
  const places = memberPlaces(object).filter(([first, second]) => first === "spec" || second === "labels");
  if (places.length === 0) return object;
  const place = places[Math.floor(pick * places.length)], copy = structuredClone(object);
  const parent = place.slice(0, -1).reduce<Json>((value, step) => (value as JsonObject)[step]!, copy);
  delete (parent as JsonObject)[place[place.length - 1]];
  return copy;
}

function memberPlaces(value: Json, at: string[] = []): string[][] {
  if (typeof value !== "object" || value === null || at.length > 6) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...at, name];
    return [...Array.isArray(value) ? [] : [place], ...memberPlaces(member!, place)];
  });
}

function patch(target: Target, subresource: string): Step {
  const { random, name } = target, { apiVersions, custom } = target.subject;
  const type = random.of(custom && random.chance(0.97) ? PATCH_TYPES.slice(0, 2) : PATCH_TYPES);
  const item = `${collectionOf(target, random.of(apiVersions))}/${name}${subresource}`;
  const parts = someParts(target, subresource), change = parts.reduce<Json>(joined, {}) as JsonObject;
  const body: Json = type === "json-patch"
    ? operations(change, random)
    : type === "merge-patch"
    ? nulled(change, random)
    : directed(change, random);
  return {
    method: "PATCH",
    path: item + query(target),
    contentType: `application/${type}+json`,
    body: () => body,
    needs: undefined,
  };
}

/** With some members set to null. */
function nulled(value: Json, random: Random): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, random.chance(0.15) ? null : nulled(member!, random)]),
  );
}

/** With some directives of strategic merge. */
function directed(value: Json, random: Random): Json {
  if (Array.isArray(value)) {
    return value.map((element) =>
      isObject(element)
        ? { ...directed(element, random) as JsonObject, ...random.chance(0.15) && { $patch: "delete" } }
        : element
    );
  }
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    out[name] = random.chance(0.08) ? null : directed(member!, random);
    if (!Array.isArray(member) || !random.chance(0.2)) continue;
    if (member.every((element) => typeof element === "string")) {
      out[random.of([`$deleteFromPrimitiveList/${name}`, `$setElementOrder/${name}`])] = member;
    } else {
      out[`$setElementOrder/${name}`] = member.map((element) => {
        const key = isObject(element) ? KEYS.find((key) => key in element) : undefined;
        return key === undefined ? element : { [key]: (element as JsonObject)[key]! };
      }).reverse();
    }
  }
  if (random.chance(0.04)) out.$patch = random.of(["replace", "merge"]);
  return out;
}

function operations(change: JsonObject, random: Random): Json[] {
  const places = memberPlaces(change);
  return Array.from({ length: 1 + random.below(3) }, () => {
    const place = random.of(places), path = `/${place.map(escaped).join("/")}`;
    const value = place.reduce<Json>((parent, step) => (parent as JsonObject)[step]!, change);
    const op = random.of(["add", "add", "add", "replace", "remove", "test", "copy", "move"]);
    return { op, path, value, from: `/${random.of(places).map(escaped).join("/")}` };
  });
}

function escaped(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

function apply(target: Target, subresource: string): Step {
  const { random, name, subject } = target;
  const parts = someParts(target, subresource), isWhole = subresource === "" && random.chance(0.6);
  const object = whole(target, isWhole ? [subject.base, ...parts] : parts);
  if (subresource === "/scale") Object.assign(object, { apiVersion: "autoscaling/v1", kind: "Scale" });
  const apiVersion = subresource === "/scale" ? random.of(subject.apiVersions) : object.apiVersion as string;
  const item = `${collectionOf(target, apiVersion)}/${name}${subresource}`;
  return {
    method: "PATCH",
    path: item + query(target, random.chance(0.4) ? "force=true" : ""),
    contentType: "application/apply-patch+yaml",
    body: () => object,
    needs: undefined,
  };
}
