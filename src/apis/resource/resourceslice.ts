// Resource slices: the devices that a driver offers, some at a time (KEP-4381).
import { now } from "../../machinery/time.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { collect } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { DeviceAttribute, ResourceSlice } from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import type { KindDefinition } from "../kind.ts";

const rules = new LaterModule(() => import("./slice_spec.ts"));

type SliceObject = KubeObject & ResourceSlice;

function setDefaults({ spec }: SliceObject): void {
  for (const device of spec?.devices ?? []) {
    for (const taint of device.taints ?? []) taint.timeAdded ??= now();
    for (const mapping of Object.values(device.nodeAllocatableResourceMappings ?? {})) {
      mapping.allocationMultiplier ??= "1";
    }
  }
}

function attributesOf({ spec }: SliceObject): DeviceAttribute[] {
  return (spec?.devices ?? []).flatMap((device) => Object.values(device.attributes ?? {}));
}

/** DRAListTypeAttributes and DRANodeAllocatableResources are off: their fields are kept only where they were before. */
function dropDisabled(slice: SliceObject, old?: SliceObject): void {
  const { LIST_ATTRIBUTES } = rules.module;
  const lists = old && attributesOf(old).some((attribute) => LIST_ATTRIBUTES.some((member) => attribute[member]));
  if (!lists) { for (const attribute of attributesOf(slice)) for (const m of LIST_ATTRIBUTES) delete attribute[m]; }
  const mapped = old?.spec?.devices?.some((device) => Object.keys(device.nodeAllocatableResourceMappings ?? {}).length);
  if (!mapped) { for (const device of slice.spec?.devices ?? []) delete device.nodeAllocatableResourceMappings; }
}

function warnings({ spec: { driver = "" } = {} }: SliceObject): string[] {
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`];
}

export const resourceSlice: KindDefinition<SliceObject> = {
  gvk: { group: "resource.k8s.io", version: "v1", kind: "ResourceSlice" },
  resource: "resourceslices",
  load: () => rules.load(),
  generation: true,
  returnsDeletedObject: true,
  setDefaults,
  prepareForCreate: (slice) => dropDisabled(slice),
  prepareForUpdate: dropDisabled,
  validate: ({ spec = {} }) => collect((root) => rules.module.checkSliceSpec(spec, root.child("spec"))),
  validateUpdate: ({ spec = {} }, old) =>
    collect((root) => rules.module.checkSliceSpec(spec, root.child("spec"), old.spec)),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
  fields: ({ spec }) => ({ "spec.nodeName": spec?.nodeName ?? "", "spec.driver": spec?.driver ?? "" }),
  columns: [
    NAME,
    text("Node", "The node that has the devices.", ({ spec }) => spec?.nodeName ?? ""),
    text("Driver", "Who offers them.", ({ spec }) => spec?.driver ?? ""),
    text("Pool", "What they belong to.", ({ spec }) => spec?.pool?.name ?? ""),
    AGE,
  ],
};
