// Which parts of a configuration would replace what is there as a whole.
import type { TypeModel } from "../schema/model.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";
import { type Shape, shapeOf } from "./typed.ts";

/** The paths of lists, maps and structs in it that are one piece: `.spec.tolerations`. Entries of maps are not looked at. */
export function atomicFields(type: TypeModel, value: JsonObject): string[] {
  const found: string[] = [];
  look(shapeOf(type), value, "", found);
  return found;
}

function look(shape: Shape, value: Json | undefined, at: string, found: string[]): void {
  const { type } = shape;
  if (type === undefined) return;
  if (isObject(value)) {
    if ((type.kind === "struct" || type.kind === "map") && type.atomic) found.push(at);
    for (const name in value) {
      const member = shape.members.get(name);
      if (member !== undefined) look(member.shape, value[name], `${at}.${name}`, found);
    }
  } else if (Array.isArray(value) && type.kind === "list") {
    if (type.listType === "atomic") found.push(at);
    value.forEach((element, i) => look(shape.element!, element, `${at}[${i}]`, found));
  }
}
