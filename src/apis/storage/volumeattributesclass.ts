// Volume attributes classes: how volumes behave, changeable while they are in use (KEP-3751).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, deepEqual, type Field } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { VolumeAttributesClass } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";
import { checkParameters, checkProvisioner } from "./provisioner.ts";

type ClassObject = KubeObject & VolumeAttributesClass;

function check(object: ClassObject, root: Field): void {
  const { driverName, parameters = {} } = object, at = root.child("parameters");
  checkMeta(object, root, { namespaced: false });
  checkProvisioner(driverName, root.child("driverName"));
  checkParameters(parameters, at);
  if (Object.keys(parameters).length === 0) at.required("must contain at least one key/value pair");
}

export const volumeAttributesClass: KindDefinition<ClassObject> = {
  gvk: { group: "storage.k8s.io", version: "v1", kind: "VolumeAttributesClass" },
  resource: "volumeattributesclasses",
  returnsDeletedObject: true,
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object, old) =>
    collect((root) => {
      checkMetaUpdate(object, old, root);
      if (object.driverName !== old.driverName) {
        root.child("driverName").forbidden("updates to driverName are forbidden.");
      }
      if (!deepEqual(object.parameters ?? {}, old.parameters ?? {})) {
        root.child("parameters").forbidden("updates to parameters are forbidden.");
      }
      check(object, root);
    }),
  columns: [NAME, text("DriverName", "Who changes the volumes.", (o) => o.driverName ?? ""), AGE],
};
