// The fields of a struct as protobuf has them: by number, those that Go embeds within messages of their own.
import type { FieldModel, StructType, TypeModel } from "../schema/model.ts";

/** A field, or a message that stands for an embedded struct and holds fields. */
export type MessageField =
  | { number: number; field: FieldModel }
  | { number: number; name: string; inner: readonly MessageField[] };

/** In the order of their numbers. Fields without a number are not sent (kind and apiVersion). */
export function messageFields(type: StructType): readonly MessageField[] {
  return nested([...type.fields.values()].filter((field) => field.number > 0), 0);
}

function nested(fields: readonly FieldModel[], depth: number): MessageField[] {
  const own: MessageField[] = [], embedded = new Map<number, { name: string; group: FieldModel[] }>();
  for (const field of fields) {
    if (field.within.length === depth) {
      own.push({ number: field.number, field });
      continue;
    }
    const [name, number] = field.within[depth];
    const known = embedded.get(number);
    if (known === undefined) embedded.set(number, { name, group: [field] });
    else known.group.push(field);
  }
  for (const [number, { name, group }] of embedded) own.push({ number, name, inner: nested(group, depth + 1) });
  return own.sort((a, b) => a.number - b.number);
}

/** Lists with a name of their own that protobuf wraps in a message. */
const WRAPPED: readonly string[] = ["v1.ExtraValue", "v1.Verbs"];

/** Whether the list, or the list that is the value of the map, is wrapped in a message with one repeated field. */
export function isWrapped({ type, goType = "" }: FieldModel): boolean {
  const list: TypeModel = type.kind === "map" ? type.value : type;
  return list.kind === "list" && WRAPPED.includes(goType.replace(/^map\[string\]/, ""));
}
