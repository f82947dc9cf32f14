// CSI nodes: which storage drivers run on a node.
import type { KubeObject } from "../../machinery/types.ts";
import {
  byteLength,
  collect,
  type Field,
  validateImmutable,
  validateNonnegative,
  validateQualifiedName,
} from "../../machinery/validation/mod.ts";
import { AGE, integer, NAME } from "../columns.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { CSINode, CSINodeDriver } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";

type NodeObject = KubeObject & CSINode;

const MAX_NODE_ID = 256;

function check(object: NodeObject, root: Field): void {
  checkMeta(object, root, { namespaced: false });
  const at = root.child("spec", "drivers"), names = new Set<string>();
  (object.spec?.drivers ?? []).forEach((driver, i) => checkDriver(driver, names, at.index(i)));
}

function checkDriver(driver: CSINodeDriver, names: Set<string>, at: Field): void {
  const { name = "", nodeID = "" } = driver;
  podRules.module.validateCSIDriverName(name, at.child("name"));
  if (nodeID === "") at.child("nodeID").required();
  if (byteLength(nodeID) > MAX_NODE_ID) at.child("nodeID").invalid(nodeID, `must be ${MAX_NODE_ID} characters or less`);
  validateNonnegative(driver.allocatable?.count, at.child("allocatable", "count"));
  if (names.has(name)) at.child("name").duplicate(name);
  names.add(name);
  const keys = driver.topologyKeys ?? [];
  keys.forEach((key, i) => {
    if (key === "") at.required();
    if (keys.indexOf(key) < i) at.duplicate(key);
    validateQualifiedName(key, at);
  });
}

/** Of a driver that stays only what the node has room for changes (KEP-4876). */
function checkUpdate(object: NodeObject, old: NodeObject, root: Field): void {
  check(object, root);
  const fixed = (driver: CSINodeDriver) => internalForm("*CSINodeDriver", { ...driver, allocatable: undefined });
  for (const before of old.spec?.drivers ?? []) {
    for (const driver of object.spec?.drivers ?? []) {
      if (driver.name !== before.name) continue;
      validateImmutable({ now: fixed(driver), before: fixed(before) }, root.child("spec", "drivers"));
    }
  }
}

export const csiNode: KindDefinition<NodeObject> = {
  gvk: { group: "storage.k8s.io", version: "v1", kind: "CSINode" },
  resource: "csinodes",
  load: () => podRules.load(),
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object, old) => collect((root) => checkUpdate(object, old, root)),
  columns: [NAME, integer("Drivers", "Number of drivers.", ({ spec }) => spec?.drivers?.length ?? 0), AGE],
};
