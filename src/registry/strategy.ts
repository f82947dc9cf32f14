// Strategies of kinds that say nothing themselves, and the parts that are the same for all: generation, status.
import type { KindDefinition, Strategy } from "../apis/kind.ts";
import { emptyObject } from "../machinery/codec/decode.ts";
import type { StructType } from "../machinery/schema/model.ts";
import type { KubeObject, ObjectMeta } from "../machinery/types.ts";
import { deepEqual, specChanged } from "../machinery/validation/mod.ts";

/** The strategy of the resource itself: the kind's own, with status and generation looked after. */
export function mainStrategy(definition: KindDefinition, type: StructType, hasStatus: boolean): Strategy {
  const status = hasStatus ? type.fields.get("status")?.type : undefined;
  const empty = status?.kind === "struct" ? () => emptyObject(status) : () => undefined;
  return {
    ...definition,
    prepareForCreate(object, context) {
      if (hasStatus && definition.prepareForCreate === undefined) setOrDelete(object, "status", empty());
      definition.prepareForCreate?.(object, context);
      // Kinds that do not count keep what the client sends.
      if (definition.generation) object.metadata.generation = 1;
    },
    prepareForUpdate(object, old, context) {
      if (hasStatus) setOrDelete(object, "status", old.status);
      definition.prepareForUpdate?.(object, old, context);
      if (definition.generation && specChanged(object, old)) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
    },
    resetFields: definition.resetFields ?? (hasStatus ? [["status"]] : undefined),
  };
}

/** The strategy of the status subresource: everything but status (and metadata) stays as it was. */
export function statusStrategy(definition: KindDefinition): Strategy {
  const own = definition.subresources?.status;
  const resetFields = own?.resetFields ?? definition.statusResetFields ?? [["spec"]];
  const resetsMetadata = resetFields.some((path) => path.length === 1 && path[0] === "metadata");
  const keep = (object: KubeObject, old: KubeObject) => {
    for (const member of Object.keys({ ...object, ...old })) {
      if (!TYPE_AND_METADATA.has(member) && member !== "status") setOrDelete(object, member, old[member]);
    }
  };
  return {
    ...own,
    prepareForUpdate(object, old, context) {
      keep(object, old);
      if (resetsMetadata) resetMetadata(object.metadata, old.metadata);
      own?.prepareForUpdate?.(object, old, context);
    },
    resetFields,
  };
}

/** What a client can set of metadata stays as it was. */
function resetMetadata(metadata: ObjectMeta, old: ObjectMeta): void {
  for (const member of ["labels", "annotations", "finalizers", "ownerReferences"] as const) {
    if (old[member] === undefined) delete metadata[member];
    else Object.assign(metadata, { [member]: old[member] });
  }
}

const TYPE_AND_METADATA = new Set(["kind", "apiVersion", "metadata"]);

function setOrDelete(object: KubeObject, member: string, value: unknown): void {
  if (value === undefined) delete object[member];
  else object[member] = value;
}

export { deepEqual };
