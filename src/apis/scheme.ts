// The scheme of built-in kinds: for each served version its model, its defaults and its conversions.
import { builtinSchema } from "../machinery/schema/builtin.ts";
import type { StructType } from "../machinery/schema/model.ts";
import {
  apiVersionOf,
  formatGroupKind,
  type GroupVersionKind,
  type Json,
  type KubeObject,
  type ObjectMeta,
  parseApiVersion,
} from "../machinery/types.ts";
import type { Column, KindDefinition } from "./kind.ts";
import { KINDS } from "./kinds.ts";

/** A built-in kind in one served version; `ServedKind` of the endpoints. */
export interface BuiltinKind {
  readonly gvk: GroupVersionKind;
  readonly storedGvk: GroupVersionKind;
  readonly type: StructType;
  readonly custom: false;
  readonly columns?: readonly Column<KubeObject>[];
  rowConditions?(object: KubeObject): Json[] | undefined;
  partialMetadata?(metadata: ObjectMeta): ObjectMeta;
  setDefaults(object: KubeObject): void;
  toStored(object: KubeObject): KubeObject;
  fromStored(object: KubeObject): KubeObject;
  inVersion(apiVersion: string): BuiltinKind | undefined;
}

const definitions = new Map<string, KindDefinition>(
  KINDS.map((definition) => [formatGroupKind(definition.gvk), definition]),
);
const completed = new Map<string, KindDefinition>();

/** The definition of the kind that is stored; a general one for kinds without a file. */
export function kindDefinition(gvk: GroupVersionKind, resource: string): KindDefinition {
  const name = formatGroupKind(gvk);
  let definition = completed.get(name);
  if (definition === undefined) {
    definition = { gvk, resource, ...definitions.get(name) };
    completed.set(name, definition);
  }
  return definition;
}

/** Throws when the schema model has no such kind. */
export function modelOf(gvk: GroupVersionKind): StructType {
  const type = builtinSchema().typeOfKind(gvk);
  if (type === undefined) throw new Error(`no schema of ${apiVersionOf(gvk)} ${gvk.kind}`);
  return type;
}

/** @param stored the kind as storage holds it, whose definition has the conversions */
export function builtinKind(gvk: GroupVersionKind, stored: GroupVersionKind, definition: KindDefinition): BuiltinKind {
  const same = gvk.group === stored.group && gvk.version === stored.version;
  const { fieldAnnotations } = definition;
  const conversion = same ? undefined : definition.conversions?.[apiVersionOf(gvk)];
  let type: StructType | undefined;
  const toStored = (object: KubeObject) => conversion?.toStored(object) ?? retyped(object, stored);
  const versions = new Map<string, BuiltinKind>();
  return {
    gvk,
    storedGvk: stored,
    custom: false,
    get type() {
      return type ??= modelOf(gvk);
    },
    columns: definition.columns,
    rowConditions: definition.rowConditions,
    partialMetadata: fieldAnnotations && ((metadata) => withoutAnnotations(metadata, fieldAnnotations)),
    setDefaults: (object) => (same ? definition.setDefaults : conversion?.setDefaults)?.(object),
    toStored,
    fromStored: (object) => conversion?.fromStored(object) ?? retyped(object, gvk),
    inVersion(apiVersion) {
      if (apiVersion === apiVersionOf(gvk)) return this;
      let kind = versions.get(apiVersion);
      const wanted = kind === undefined && parseApiVersion(apiVersion);
      if (!wanted || builtinSchema().typeOfKind({ ...wanted, kind: gvk.kind }) === undefined) return kind;
      versions.set(apiVersion, kind = builtinKind({ ...wanted, kind: gvk.kind }, stored, definition));
      return kind;
    },
  };
}

function withoutAnnotations({ annotations, ...metadata }: ObjectMeta, names: readonly string[]): ObjectMeta {
  const rest = Object.entries(annotations ?? {}).filter(([name]) => !names.includes(name));
  return rest.length > 0 ? { ...metadata, annotations: Object.fromEntries(rest) } : metadata;
}

/** The same object under another apiVersion. */
function retyped(object: KubeObject, { group, version, kind }: GroupVersionKind): KubeObject {
  const apiVersion = apiVersionOf({ group, version });
  if (object.apiVersion === apiVersion && object.kind === kind) return object;
  return { ...object, kind, apiVersion };
}
