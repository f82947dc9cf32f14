// Object types written down as tables of their fields.
import type { StructDeclaration } from "./environment.ts";
import { type CelType, structOf } from "./types.ts";

/** Finds types by name in a table of name → fields. */
export function structsOf(
  table: Readonly<Record<string, Readonly<Record<string, CelType>>>>,
): (name: string) => StructDeclaration | undefined {
  return (name) => {
    if (!Object.hasOwn(table, name)) return undefined;
    const fields = table[name];
    return { type: structOf(name), fieldType: (field) => Object.hasOwn(fields, field) ? fields[field] : undefined };
  };
}
