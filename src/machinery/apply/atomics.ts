// Which parts of a configuration would replace what is there as a whole.
import { isObject, type Json, type JsonObject } from "../types.ts";
import { declaredMember, type Shape } from "./typed.ts";

/** The paths of lists, maps and structs in it that are one piece: `.spec.tolerations`. Entries of maps are not looked at. */
export function atomicFields(shape: Shape, value: JsonObject): string[] {
  const found: string[] = [];
  look(shape, value, "", found);
  return found;
}

function look(shape: Shape, value: Json | undefined, at: string, found: string[]): void {
  if (typeof shape === "string") return;
  if (isObject(value)) {
    if ((shape.kind === "struct" || shape.kind === "map") && shape.atomic) found.push(at);
    for (const name in value) {
      const member = declaredMember(shape, name);
      if (member !== undefined) look(member.shape, value[name], `${at}.${name}`, found);
    }
  } else if (Array.isArray(value) && shape.kind === "list") {
    if (shape.listType === "atomic") found.push(at);
    value.forEach((element, i) => look(shape.element, element, `${at}[${i}]`, found));
  }
}
