import assert from "node:assert/strict";
import { decode } from "../machinery/codec/decode.ts";
import type { StructType, TypeModel } from "../machinery/schema/model.ts";
import type { Json, JsonObject, KubeObject } from "../machinery/types.ts";
import type { RequestContext } from "./context.ts";
import { mainStrategy, statusStrategy } from "../registry/strategy.ts";
import { RESOURCES } from "../facts/generated/resources.ts";
import { builtinKind, kindDefinition, modelOf } from "./scheme.ts";

const context: RequestContext = {
  user: { name: "admin", uid: "", groups: [], extra: {} },
  namespace: "default",
  userAgent: "test",
  verb: "",
  signal: new AbortController().signal,
  addWarning() {},
  addAuditAnnotation() {},
};

const MAX_DEPTH = 9;

/** Every struct, list and map that the type has room for, with nothing said in any of them. */
function skeletonOf(type: TypeModel, depth = 0): Json | undefined {
  if (depth > MAX_DEPTH) return undefined;
  switch (type.kind) {
    case "struct":
      return members(type, depth);
    case "list":
      return [skeletonOf(type.element, depth + 1) ?? null];
    case "map":
      return { a: skeletonOf(type.value, depth + 1) ?? null };
    default:
      return undefined;
  }
}

function members(type: StructType, depth: number): JsonObject {
  const object: JsonObject = {};
  for (const [name, field] of type.fields) object[name] = skeletonOf(field.type, depth + 1);
  return object;
}

/** Everything that is asked of a kind between decoding and the write. */
async function goThrough(row: typeof RESOURCES[number], body: JsonObject): Promise<void> {
  const definition = kindDefinition(row.stored, row.resource);
  const gvk = { group: row.group, version: row.version, kind: row.kind };
  const kind = builtinKind(gvk, row.stored, definition);
  const made = (): KubeObject => {
    const { object } = decode(kind.type, structuredClone(body));
    object.metadata ??= {};
    object.metadata.name = "a";
    kind.setDefaults(object);
    return kind.toStored(object);
  };
  const strategy = mainStrategy(
    definition,
    modelOf(row.stored),
    row.subresources.some(({ name }) => name === "status"),
  );
  const object = made();
  await definition.load?.(object);
  strategy.prepareForCreate?.(object, context);
  strategy.validate?.(object, context);
  strategy.warningsOnCreate?.(object, context);
  strategy.canonicalize?.(object);
  for (const way of [strategy, statusStrategy(definition), ...Object.values(definition.subresources ?? {})]) {
    const now = made(), old = made();
    way.prepareForUpdate?.(now, old, context);
    way.validateUpdate?.(now, old, context);
    way.warningsOnUpdate?.(now, old, context);
  }
  definition.fields?.(object);
  for (const { cell } of definition.columns ?? []) cell(object, 0);
  kind.rowConditions?.(object);
  kind.fromStored(object);
}

Deno.test("no kind minds what is not said", async () => {
  for (const row of RESOURCES) {
    if (row.prefix === "") continue;
    const type = modelOf({ group: row.group, version: row.version, kind: row.kind });
    const named = { kind: row.kind, apiVersion: row.group === "" ? row.version : `${row.group}/${row.version}` };
    const empty = Object.fromEntries([...type.fields.keys()].map((name) => [name, {}]));
    const bodies: JsonObject[] = [{}, { spec: {}, status: {} }, members(type, 0)];
    for (const body of [...bodies, type.fields.has("spec") ? empty : {}]) {
      const about = `${row.kind} ${JSON.stringify(body).slice(0, 80)}`;
      await assert.doesNotReject(() => goThrough(row, { ...body, ...named, metadata: {} }), about);
    }
  }
});
