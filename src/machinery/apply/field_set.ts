// Sets of fields, in the form in which managedFields holds them (FieldsV1, KEP-555): a tree of path elements. `{}` is a
// field of the set, `{".": {}, …}` one with more below it, and a tree without "." stands only for what is below.
// Sets are never changed: operations share what stays the same.
import type { JsonObject } from "../types.ts";

export type FieldSet = Readonly<JsonObject>;
type Node = Readonly<JsonObject>;

const SELF = ".";
const LEAF: Node = Object.freeze({});
export const EMPTY: FieldSet = LEAF;

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

function isMember(node: Node): boolean {
  return SELF in node || isEmptySet(node);
}

function child(node: Node, name: string): Node | undefined {
  return name === SELF ? undefined : node[name] as Node | undefined;
}

/** A node out of its parts; undefined when nothing is left of it. */
function nodeOf(member: boolean, children: JsonObject): Node | undefined {
  if (isEmptySet(children)) return member ? LEAF : undefined;
  return member ? { [SELF]: LEAF as JsonObject, ...children } : children;
}

/** Builds a set path by path. */
export class FieldSetBuilder {
  readonly #root: JsonObject = {};

  add(path: readonly string[]): void {
    let node = this.#root;
    for (const [i, element] of path.entries()) {
      const last = i === path.length - 1;
      const next = node[element] as JsonObject | undefined;
      if (next === undefined) {
        node = node[element] = last ? { [SELF]: {} } : {};
      } else {
        node = next;
        if (last) node[SELF] ??= {};
      }
    }
  }

  get empty(): boolean {
    return isEmptySet(this.#root);
  }

  build(): FieldSet {
    return shorten(this.#root);
  }
}

/** `{".": {}}` is written as `{}`. */
function shorten(node: JsonObject): JsonObject {
  for (const name in node) {
    if (name === SELF) continue;
    const next = node[name] as JsonObject;
    shorten(next);
    const keys = Object.keys(next);
    if (keys.length === 1 && keys[0] === SELF) node[name] = {};
  }
  return node;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  const out: JsonObject = { ...a };
  for (const name in b) {
    const mine = a[name] as Node | undefined;
    out[name] = (mine === undefined ? b[name] : unionNode(mine, b[name] as Node)) as JsonObject;
  }
  return out;
}

function unionNode(a: Node, b: Node): Node {
  if (a === b) return a;
  const children: JsonObject = {};
  for (const name in a) if (name !== SELF) children[name] = a[name];
  for (const name in b) {
    if (name === SELF) continue;
    const mine = children[name] as Node | undefined;
    children[name] = (mine === undefined ? b[name] : unionNode(mine, b[name] as Node)) as JsonObject;
  }
  return nodeOf(isMember(a) || isMember(b), children) ?? LEAF;
}

/** Fields of `a` that are not in `b`; what is below a field of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, differenceNode);
}

/** Fields of `a` that are neither in `b` nor below a field of it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (x, y) => isMember(y) ? undefined : recursiveNode(x, y));
}

type Combine = (a: Node, b: Node) => Node | undefined;

function combine(a: FieldSet, b: FieldSet, operation: Combine): FieldSet {
  let out: JsonObject | undefined;
  for (const name in b) {
    const mine = a[name] as Node | undefined;
    if (mine === undefined) continue;
    const left = operation(mine, b[name] as Node);
    if (left === mine) continue;
    out ??= { ...a };
    if (left === undefined) delete out[name];
    else out[name] = left as JsonObject;
  }
  return out ?? a;
}

function differenceNode(a: Node, b: Node): Node | undefined {
  return reduceNode(a, b, isMember(a) && !isMember(b), differenceNode);
}

function recursiveNode(a: Node, b: Node): Node | undefined {
  return reduceNode(a, b, isMember(a), (x, y) => isMember(y) ? undefined : recursiveNode(x, y));
}

function reduceNode(a: Node, b: Node, member: boolean, operation: Combine): Node | undefined {
  const children: JsonObject = {};
  let changed = member !== isMember(a);
  for (const name in a) {
    if (name === SELF) continue;
    const mine = a[name] as Node, theirs = child(b, name);
    const left = theirs === undefined ? mine : operation(mine, theirs);
    if (left !== mine) changed = true;
    if (left !== undefined) children[name] = left as JsonObject;
  }
  return changed ? nodeOf(member, children) : a;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out: JsonObject = {};
  for (const name in a) {
    const theirs = b[name] as Node | undefined;
    const both = theirs && intersectNode(a[name] as Node, theirs);
    if (both !== undefined) out[name] = both as JsonObject;
  }
  return out;
}

function intersectNode(a: Node, b: Node): Node | undefined {
  const children: JsonObject = {};
  for (const name in a) {
    if (name === SELF) continue;
    const theirs = child(b, name);
    const both = theirs && intersectNode(a[name] as Node, theirs);
    if (both !== undefined) children[name] = both as JsonObject;
  }
  return nodeOf(isMember(a) && isMember(b), children);
}

/** Named fields above a member become members too: what a client that applies means by naming what is below. */
export function withNamedParents(set: FieldSet): FieldSet {
  const out: JsonObject = {};
  for (const name in set) out[name] = withParents(name, set[name] as Node) as JsonObject;
  return out;
}

function withParents(element: string, node: Node): Node {
  const children: JsonObject = {};
  for (const name in node) if (name !== SELF) children[name] = withParents(name, node[name] as Node) as JsonObject;
  return nodeOf(isMember(node) || element.startsWith("f:"), children)!;
}

/** Whether the path is a field of the set; the node below it for going on. */
export function descend(set: FieldSet, element: string): { member: boolean; below: FieldSet } | undefined {
  const node = child(set, element);
  if (node === undefined) return undefined;
  return { member: isMember(node), below: node };
}

/** Every field: those at a level before those below it, each level in order. */
export function* paths(set: FieldSet, prefix: readonly string[] = []): Generator<string[]> {
  const names = Object.keys(set).filter((name) => name !== SELF).sort(compareElements);
  for (const name of names) if (isMember(set[name] as Node)) yield [...prefix, name];
  for (const name of names) yield* paths(set[name] as Node, [...prefix, name]);
}

const ORDER = "fkvi";

/** Names first, then keys, values and indexes. */
function compareElements(a: string, b: string): number {
  const kind = ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]);
  return kind !== 0 ? kind : a < b ? -1 : a > b ? 1 : 0;
}

/** The set with its members in the order in which they are written. */
export function sorted(set: FieldSet): JsonObject {
  const out: JsonObject = {};
  if (SELF in set) out[SELF] = {};
  const names = Object.keys(set).filter((name) => name !== SELF).sort(compareElements);
  for (const name of names) out[name] = sorted(set[name] as Node);
  return out;
}

/** `.spec.ports[port=80,protocol="TCP"].name`: how messages show a path. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join("");
}

function elementText(element: string): string {
  const value = element.slice(2);
  switch (element[0]) {
    case "f":
      return `.${value}`;
    case "k":
      return `[${Object.entries(JSON.parse(value)).map(([k, v]) => `${k}=${JSON.stringify(v)}`).join(",")}]`;
    case "v":
      return `[=${value}]`;
    default:
      return `[${value}]`;
  }
}
