// Sets of fields, in the form in which managedFields holds them (FieldsV1, KEP-555): a tree of path elements. `{}` is a
// field of the set, `{".": {}, …}` one with more below it, and a tree without "." stands only for what is below. Members
// are in the order in which they are written, always. Sets are never changed: operations share what stays the same.
import type { Json, JsonObject } from "../types.ts";
import { inOrder } from "./in_order.ts";
import { compareElements, FieldPathError, parseElement } from "./path_element.ts";

export type FieldSet = Readonly<JsonObject>;
type Node = FieldSet;

const SELF = ".";
/** A field with nothing below it; at the root, the empty set. */
export const LEAF: Node = Object.freeze({});
export const EMPTY: FieldSet = LEAF;

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether what a node stands for is a field of its set itself. */
export function isMember(node: Node): boolean {
  return SELF in node || isEmptySet(node);
}

/** The node of an element; undefined when there is none. */
export function child(node: Node, element: string): Node | undefined {
  return node[element] as Node | undefined;
}

/** A node out of its parts; undefined when nothing is left of it. */
export function nodeOf(member: boolean, children: JsonObject): Node | undefined {
  if (isEmptySet(children)) return member ? LEAF : undefined;
  return member ? { [SELF]: LEAF as JsonObject, ...children } : children;
}

/** A node to which its elements are yet to be added, in the order in which they are written. */
export function startNode(member: boolean): JsonObject {
  return member ? { ".": LEAF as JsonObject } : {};
}

/** The node when all is added; undefined when there is nothing in it. */
export function finishNode(node: JsonObject, member: boolean, added: boolean): Node | undefined {
  return added ? node : member ? LEAF : undefined;
}

/** Whether an element is a field of the set, and what the set has below it; undefined for neither. */
export function descend(set: FieldSet, element: string): { member: boolean; below: FieldSet } | undefined {
  const node = child(set, element);
  return node && { member: isMember(node), below: node };
}

/** A set of fields that are reached by names only. */
export function setOfNames(paths: readonly (readonly string[])[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.add(path.map((name) => `f:${name}`));
  return builder.build();
}

/** Builds a set path by path, in any order. */
export class FieldSetBuilder {
  /** Nodes made here, which may still change; all others are shared. */
  #open: Set<Node> | undefined;
  #root: JsonObject | undefined;

  /** @param node the field as a node with what is below it; nothing but the field unless given */
  add(path: readonly string[], node: Node = LEAF): void {
    this.#root ??= this.#made({});
    let at = this.#root;
    const last = path.length - 1;
    for (let i = 0; i < last; i++) at = this.#below(at, path[i]);
    const known = child(at, path[last]);
    at[path[last]] = (known === undefined ? node : this.#joined(known, node)) as JsonObject;
  }

  #below(node: JsonObject, element: string): JsonObject {
    const known = child(node, element);
    if (known !== undefined && this.#open!.has(known)) return known as JsonObject;
    return node[element] = this.#made(known === undefined ? {} : withSelf(known));
  }

  #made(node: JsonObject): JsonObject {
    (this.#open ??= new Set()).add(node);
    return node;
  }

  #joined(known: Node, node: Node): Node {
    return this.#made({ ...withSelf(known), ...withSelf(node) });
  }

  get empty(): boolean {
    return this.#root === undefined;
  }

  build(): FieldSet {
    return this.#root === undefined ? EMPTY : this.#tidy(this.#root);
  }

  /** In order, and `{".": {}}` as `{}`. What is shared is so already. */
  #tidy(node: Node): Node {
    if (!this.#open!.has(node)) return node;
    const elements = inOrder(Object.keys(node), order);
    if (elements.length === 1 && elements[0] === SELF) return LEAF;
    const out: JsonObject = {};
    for (const element of elements) out[element] = this.#tidy(child(node, element)!) as JsonObject;
    return out;
  }
}

/** A copy of a field's node that says that it is one. */
function withSelf(node: Node): JsonObject {
  return isEmptySet(node) ? { [SELF]: LEAF as JsonObject } : { ...node };
}

/** "." comes first. */
function order(a: string, b: string): number {
  return a === SELF ? -1 : b === SELF ? 1 : compareElements(a, b);
}

/** A set as a client wrote it, in canonical form. Throws {@link FieldPathError}. */
export function parseFieldSet(value: Json): FieldSet {
  return parseNode(value).node;
}

function parseNode(value: Json): { node: Node; member: boolean } {
  if (typeof value !== "object" || Array.isArray(value)) throw new FieldPathError("a field set is an object");
  const children: JsonObject = {};
  for (const name in value) {
    if (name === SELF) continue;
    const element = parseElement(name);
    if (element === undefined) continue;
    const { node, member } = parseNode(value[name]!);
    children[element] = nodeOf(member, node as JsonObject) as JsonObject;
  }
  const names = Object.keys(children);
  const member = names.length === 0 || value !== null && SELF in value;
  const sorted: JsonObject = {};
  for (const element of inOrder(names, order)) sorted[element] = children[element];
  return { node: sorted, member };
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  return uniteChildren(a, b);
}

function uniteNodes(a: Node, b: Node): Node {
  if (a === b) return a;
  const member = isMember(a) || isMember(b);
  const both = uniteChildren(a, b);
  return member && !(SELF in both) && !isEmptySet(both) ? nodeOf(true, both as JsonObject)! : both;
}

/** `a` itself when it has everything. */
function uniteChildren(a: Node, b: Node): Node {
  let out: JsonObject | undefined, added = false;
  for (const element in b) {
    const mine = child(a, element), theirs = child(b, element)!;
    const both = mine === undefined ? theirs : element === SELF ? mine : uniteNodes(mine, theirs);
    if (both === mine) continue;
    out ??= { ...a };
    if (mine === undefined) added = true;
    out[element] = both as JsonObject;
  }
  if (out === undefined || !added) return out ?? a;
  const sorted: JsonObject = {};
  for (const element of inOrder(Object.keys(out), order)) sorted[element] = out[element];
  return sorted;
}

/** Fields of `a` that are not in `b`; what is below a field of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return reduceChildren(a, b, differenceNode) ?? EMPTY;
}

/** Fields of `a` that are neither in `b` nor below a field of it. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return reduceChildren(a, b, recursiveNode) ?? EMPTY;
}

type Reduce = (a: Node, b: Node) => Node | undefined;

function differenceNode(a: Node, b: Node): Node | undefined {
  const member = isMember(a);
  if (member && isMember(b)) return isEmptySet(a) ? undefined : reduceChildren(withoutSelf(a), b, differenceNode);
  if (isEmptySet(a)) return a;
  return reduceChildren(a, b, differenceNode);
}

function recursiveNode(a: Node, b: Node): Node | undefined {
  if (isMember(b)) return undefined;
  return isEmptySet(a) ? a : reduceChildren(a, b, recursiveNode);
}

function withoutSelf(node: Node): Node {
  const { [SELF]: _self, ...children } = node;
  return children;
}

/** `a` itself when nothing changes; undefined when nothing is left. */
function reduceChildren(a: Node, b: Node, reduce: Reduce): Node | undefined {
  let changed: Map<string, Node | undefined> | undefined;
  for (const element in b) {
    const mine = element === SELF ? undefined : child(a, element);
    if (mine === undefined) continue;
    const rest = reduce(mine, child(b, element)!);
    if (rest !== mine) (changed ??= new Map()).set(element, rest);
  }
  if (changed === undefined) return isEmptySet(a) ? undefined : a;
  const left = startNode(SELF in a);
  let any = false;
  for (const element in a) {
    const rest = element === SELF ? undefined : changed.has(element) ? changed.get(element) : child(a, element);
    if (rest === undefined) continue;
    left[element] = rest as JsonObject;
    any = true;
  }
  return finishNode(left, SELF in a, any);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return intersectNodes(a, b, false) ?? EMPTY;
}

function intersectNodes(a: Node, b: Node, member: boolean): Node | undefined {
  const children: JsonObject = {};
  for (const element in a) {
    const mine = child(a, element)!, theirs = element === SELF ? undefined : child(b, element);
    if (theirs === undefined) continue;
    const both = intersectNodes(mine, theirs, isMember(mine) && isMember(theirs));
    if (both !== undefined) children[element] = both as JsonObject;
  }
  return nodeOf(member, children);
}

/** Every field: those at a level before those below it, each level in order. */
export function* paths(set: FieldSet, prefix: readonly string[] = []): Generator<string[]> {
  for (const element in set) {
    if (element !== SELF && isMember(child(set, element)!)) yield [...prefix, element];
  }
  for (const element in set) {
    if (element !== SELF) yield* paths(child(set, element)!, [...prefix, element]);
  }
}
