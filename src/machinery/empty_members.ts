// Lists and maps that a client gave empty. Objects leave them out, as they are never written; what is shown of an object in
// a message tells them from missing ones all the same, as Go's values do.
import type { Json } from "./types.ts";

const EMPTY = Symbol("empty members");

interface Noting {
  [EMPTY]?: ReadonlyMap<string, Json>;
}

/** @param members what the object would have under their names */
export function noteEmptyMembers(object: object, members: ReadonlyMap<string, Json>): void {
  // Whoever copies or compares an object's members does not see it.
  Object.defineProperty(object, EMPTY, { value: members });
}

/** The empty list or map that was given under a name. */
export function emptyMember(object: object, name: string): Json | undefined {
  return (object as Noting)[EMPTY]?.get(name);
}

export function copyEmptyMembers(from: object, to: object): void {
  const members = (from as Noting)[EMPTY];
  if (members !== undefined) noteEmptyMembers(to, members);
}

/** A copy of an object, one level deep, with other values of some members. */
export function withMembers<T extends object>(object: T, members: Partial<T>): T {
  const copy = { ...object, ...members }, empty = (object as Noting)[EMPTY];
  if (empty !== undefined) {
    noteEmptyMembers(copy, new Map([...empty].filter(([name]) => !Object.hasOwn(members, name))));
  }
  return copy;
}
