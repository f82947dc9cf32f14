// JSON patches (RFC 6902), with the liberties that the API takes: indexes may be negative, replacing a missing member
// adds it, and copying a missing one copies null.
import { parseExactly } from "../big_integers.ts";
import type { Json, JsonObject } from "../types.ts";
import { PatchError } from "./errors.ts";
import { OperationTrail } from "./patched_text.ts";
import { lookUp } from "../look_up.ts";

/** Members that an operation may have; others are unknown fields. */
export const JSON_PATCH_MEMBERS: readonly string[] = ["op", "path", "from", "value"];

/** Bytes of JSON that `copy` operations may add up to. */
const MAX_COPIED = 3 * 1024 * 1024;

interface State {
  document: Json;
  copied: number;
  readonly trail: OperationTrail;
}

type Operation = JsonObject;

const OPERATIONS: Readonly<Record<string, (state: State, operation: Operation) => void>> = {
  add: (state, operation) => add(state, pathOf(operation, "path"), valueOf(operation)),
  remove: (state, operation) => remove(state, pathOf(operation, "path")),
  replace,
  move,
  copy,
  test,
};

/**
 * The patched document; `document` itself may be changed.
 * @throws PatchError `inapplicable` when an operation does not fit
 */
export function applyJsonPatch(document: Json, operations: readonly JsonObject[]): Json {
  const state: State = { document, copied: 0, trail: new OperationTrail() };
  for (const operation of operations) {
    const apply = lookUp(OPERATIONS, typeof operation.op === "string" ? operation.op : "");
    if (apply === undefined) throw refuse(`Unexpected kind: ${operation.op ?? "unknown"}`);
    try {
      state.trail.enter(operation);
      apply(state, operation);
      state.trail.leave(operation);
    } catch (e) {
      throw e instanceof PatchError ? refuse(inContext(operation, e)) : e;
    }
  }
  return state.document;
}

function refuse(message: string): PatchError {
  return new PatchError("inapplicable", message);
}

/** Nothing is there that could hold what a path names. */
class MissingPath extends PatchError {
  constructor(readonly path: string) {
    super("inapplicable", `doc is missing path: "${path}"`);
  }
}

/** An error about an element or member, as it is told by each operation. */
class BadKey extends PatchError {
  constructor(message: string, cause: string) {
    super("inapplicable", `${message}: ${cause}`);
  }
}

/** What went wrong in the words of the operation. */
function inContext({ op, path, from }: Operation, e: PatchError): string {
  const start = `${op} operation does not apply:`;
  if (e instanceof MissingPath) {
    if (op === "add" || op === "remove") return `${start} ${e.message}: missing value`;
    if (op === "replace") return `${start} doc is missing path: ${path}: missing value`;
    if (op === "test") return `${start} is missing path: ${path}: missing value`;
    return `${start} doc is missing ${e.path === from ? "from" : "destination"} path: ${e.path}: missing value`;
  }
  if (!(e instanceof BadKey)) return e.message;
  if (op === "replace") return `${start} doc is missing key: ${path}: missing value`;
  if (op === "copy") return `error in copy for from: '${from}': ${e.message}`;
  const at = op === "move" && e.message.startsWith("Unable to remove") ? String(from).split("/").at(-1) : path;
  return `error in ${op} for path: '${at}': ${e.message}`;
}

function pathOf(operation: Operation, member: "path" | "from"): string {
  const path = operation[member];
  if (typeof path !== "string") throw refuse(`operation missing ${member} field`);
  return path;
}

function valueOf(operation: Operation): Json {
  return operation.value ?? null;
}

type Container = Json[] | JsonObject;

/** The object or list that holds what a path names, and the last part of the path. */
function locate(state: State, path: string): { container: Container; key: string } {
  const parts = path.split("/");
  if (parts.length < 2) throw new MissingPath(path);
  const keys = parts.slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  let at: Json | undefined = state.document;
  for (const key of keys.slice(0, -1)) at = isContainer(at) ? read(at, key) : undefined;
  if (!isContainer(at)) throw new MissingPath(path);
  return { container: at, key: keys[keys.length - 1] };
}

function isContainer(value: Json | undefined): value is Container {
  return typeof value === "object" && value !== null;
}

/** Undefined for a missing member; a bad index of a list is refused. */
function read(container: Container, key: string): Json | undefined {
  if (Array.isArray(container)) return container[indexOf(container, key)];
  return lookUp(container, key);
}

const INDEX = /^[+-]?\d+$/;

function indexOf(list: readonly Json[], key: string, length = list.length): number {
  if (!INDEX.test(key)) {
    throw new BadKey(`value was not a proper array index: '${key}'`, `strconv.Atoi: parsing "${key}": invalid syntax`);
  }
  const index = Number(key);
  if (index >= length || index < -length) {
    throw new BadKey(`Unable to access invalid index: ${index}`, "invalid index referenced");
  }
  return index < 0 ? index + length : index;
}

function write(container: JsonObject, key: string, value: Json): void {
  // A plain assignment to `__proto__` would not make a member.
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

function add(state: State, path: string, value: Json): void {
  const { container, key } = locate(state, path);
  if (!Array.isArray(container)) return write(container, key, value);
  container.splice(key === "-" ? container.length : indexOf(container, key, container.length + 1), 0, value);
}

function remove(state: State, path: string): Json {
  const { container, key } = locate(state, path);
  if (Array.isArray(container)) return container.splice(indexOf(container, key), 1)[0];
  if (!Object.hasOwn(container, key)) {
    throw new BadKey(`Unable to remove nonexistent key: ${key}`, "missing value");
  }
  const value = container[key] ?? null;
  delete container[key];
  return value;
}

function replace(state: State, operation: Operation): void {
  const path = pathOf(operation, "path");
  const value = valueOf(operation);
  if (path === "") {
    if (!isContainer(value)) throw refuse("replace operation value must be object or array");
    state.document = value;
    return;
  }
  const { container, key } = locate(state, path);
  if (Array.isArray(container)) container[indexOf(container, key)] = value;
  else write(container, key, value);
}

function move(state: State, operation: Operation): void {
  add(state, pathOf(operation, "path"), remove(state, pathOf(operation, "from")));
}

function copy(state: State, operation: Operation): void {
  const from = pathOf(operation, "from"), { container, key } = locate(state, from);
  // The order of members shows in messages.
  const text = state.trail.textAt(read(container, key) ?? null, from);
  state.copied += text.length;
  if (state.copied > MAX_COPIED) {
    throw refuse(
      `Unable to complete the copy, the accumulated size increase of copy is ${state.copied}, exceeding the limit ${MAX_COPIED}`,
    );
  }
  add(state, pathOf(operation, "path"), parseExactly(text));
}

function test(state: State, operation: Operation): void {
  const path = pathOf(operation, "path");
  const value = operation.value;
  if (value === undefined) throw refuse(`testing value ${path} failed: test failed`);
  let found: Json | undefined = state.document;
  if (path !== "") {
    const { container, key } = locate(state, path);
    found = read(container, key);
  }
  if (!sameJson(found ?? null, value)) throw refuse(`testing value ${path} failed: test failed`);
}

function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const [left, right] = [(a as JsonObject)[key], (b as JsonObject)[key]];
    return left !== undefined && right !== undefined && sameJson(left, right);
  });
}
