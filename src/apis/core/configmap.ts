// Config maps: text and bytes by key, at most 1 MiB, for ever once they are immutable.
import type { FieldError } from "../../machinery/field_error.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { byteLength, collect, deepEqual, type Field, isConfigMapKey } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { ConfigMap } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { decodedLength, fillEmpty } from "./bytes_data.ts";

type ConfigMapObject = KubeObject & ConfigMap;

const MAX_BYTES = 1024 * 1024;

function bytesOf(data: Record<string, string>, binaryData: Record<string, string>): number {
  let bytes = 0;
  for (const key in data) bytes += byteLength(data[key]);
  for (const key in binaryData) bytes += decodedLength(binaryData[key]);
  return bytes;
}

function check({ data = {}, binaryData = {} }: ConfigMapObject, root: Field): void {
  let characters = 0;
  for (const key of Object.keys(data).sort()) {
    const at = root.child("data").key(key);
    at.invalidEach(key, isConfigMapKey(key));
    if (Object.hasOwn(binaryData, key)) at.invalid(key, "duplicate of key present in binaryData");
    characters += data[key].length;
  }
  for (const key of Object.keys(binaryData).sort()) {
    root.child("binaryData").key(key).invalidEach(key, isConfigMapKey(key));
    characters += binaryData[key].length;
  }
  // The error is about the whole object: its field has no name.
  if (3 * characters > MAX_BYTES && bytesOf(data, binaryData) > MAX_BYTES) root.key("").tooLong(MAX_BYTES);
}

export const configMap: KindDefinition<ConfigMapObject> = {
  gvk: { group: "", version: "v1", kind: "ConfigMap" },
  resource: "configmaps",
  setDefaults: ({ binaryData }) => fillEmpty(binaryData),
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate(object, old): FieldError[] {
    return collect((root) => {
      if (old.immutable) {
        const frozen = "field is immutable when `immutable` is set";
        if (!object.immutable) root.child("immutable").forbidden(frozen);
        for (const field of ["data", "binaryData"] as const) {
          if (!deepEqual(object[field], old[field])) root.child(field).forbidden(frozen);
        }
      }
      checkMeta(object, root, { namespaced: true });
      check(object, root);
    });
  },
  columns: [
    NAME,
    text("Data", "Number of keys.", (o) => Object.keys(o.data ?? {}).length + Object.keys(o.binaryData ?? {}).length),
    AGE,
  ],
};
