// Object types written down as tables of their fields.
import type { StructDeclaration } from "./environment.ts";
import { type CelType, structOf } from "./types.ts";
import { lookUp } from "../look_up.ts";

/** Finds types by name in a table of name → fields. */
export function structsOf(
  table: Readonly<Record<string, Readonly<Record<string, CelType>>>>,
): (name: string) => StructDeclaration | undefined {
  return (name) => {
    const fields = lookUp(table, name);
    return fields && { type: structOf(name), fieldType: (field) => lookUp(fields, field) };
  };
}
