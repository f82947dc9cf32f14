// In which order a set has the members of an object. Objects of a type are mostly alike: those whose members come as they
// did in one of the latest need not have theirs looked up and sorted again.
import type { JsonObject } from "../types.ts";
import { inOrder } from "./in_order.ts";
import { type Layout, type Member, memberOf, type Shape } from "./typed.ts";

/** Layouts that are kept of a type, and how long the names in one may be together: names of maps are any text. */
const KEPT = 4, MAX_LENGTH = 512;

/** The members that are there, in the order of a set. */
export function membersInOrder(shape: Shape, object: JsonObject): readonly Member[] {
  const { layouts } = shape;
  for (let i = 0; i < layouts.length; i++) {
    if (fits(layouts[i], object)) return layouts[i].members;
  }
  const found: Member[] = [];
  let length = 0;
  for (const name in object) {
    if (object[name] === undefined) continue;
    found.push(memberOf(shape, name));
    length += name.length;
  }
  if (length > MAX_LENGTH) return inOrder(found, compareMembers);
  const names = found.map(({ name }) => name), members = inOrder(found, compareMembers);
  if (layouts.unshift({ names, members }) > KEPT) layouts.pop();
  return members;
}

function fits({ names }: Layout, object: JsonObject): boolean {
  let count = 0;
  for (const name in object) {
    if (object[name] !== undefined && names[count++] !== name) return false;
  }
  return count === names.length;
}

/** Declared members need not be compared by name. */
function compareMembers(a: Member, b: Member): number {
  return a.rank < 0 || b.rank < 0 ? (a.name < b.name ? -1 : 1) : a.rank - b.rank;
}
