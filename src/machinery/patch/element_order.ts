// The order of a merged list: the patch's elements as the patch has them, the others as they were.
import { goFormat } from "../go_text.ts";
import type { Json, JsonObject } from "../types.ts";
import { PatchError } from "./errors.ts";

/** What names an element. Throws a PatchError where there is no such member. */
export function keyOf(element: JsonObject, key: string): Json {
  const value = element[key];
  if (value === undefined) {
    throw new PatchError("broken", `map: ${goFormat(element)} does not contain declared merge key: ${key}`);
  }
  return value;
}

/**
 * Throws a PatchError when an element has no name.
 * @param key the member that names an element; undefined for lists of scalars
 */
export function mergeOrder(
  merged: readonly Json[],
  patchOrder: readonly Json[],
  serverOrder: readonly Json[],
  key: string | undefined,
): Json[] {
  const identity = (element: Json) => key === undefined ? element : keyOf(element as JsonObject, key);
  const wanted = positions(patchOrder, identity);
  const before = positions(serverOrder, identity);
  const placed = (place: Map<Json, number>) => (a: Json, b: Json) =>
    (place.get(identity(a)) ?? -1) - (place.get(identity(b)) ?? -1);
  const fromPatch = merged.filter((element) => wanted.has(identity(element))).sort(placed(wanted));
  const serverOnly = merged.filter((element) => !wanted.has(identity(element))).sort(placed(before));
  return interleave(serverOnly, fromPatch, (element) => before.get(identity(element)));
}

function positions(list: readonly Json[], identity: (element: Json) => Json): Map<Json, number> {
  const places = new Map<Json, number>();
  list.forEach((element, index) => {
    if (!places.has(identity(element))) places.set(identity(element), index);
  });
  return places;
}

/** Elements of the server go before those of the patch that stood behind them. */
function interleave(server: Json[], patch: Json[], place: (element: Json) => number | undefined): Json[] {
  const result: Json[] = [];
  let [i, j] = [0, 0];
  while (i < server.length && j < patch.length) {
    const [left, right] = [place(server[i]), place(patch[j])];
    if (left !== undefined && right !== undefined && left < right) result.push(server[i++]);
    else result.push(patch[j++]);
  }
  return [...result, ...server.slice(i), ...patch.slice(j)];
}
