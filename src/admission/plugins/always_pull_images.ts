// AlwaysPullImages: images are pulled at every start, so that nobody runs a private image that happens to be on a node.
import { containersOf, visitContainers } from "../../apis/core/pod_spec/visit.ts";
import type { PodSpec, Volume } from "../../facts/generated/types.ts";
import { AggregateFailure } from "../../machinery/aggregate_error.ts";
import { unknownError } from "../../machinery/errors.ts";
import { formatFieldError } from "../../machinery/field_error.ts";
import { collect, type Field } from "../../machinery/validation/mod.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isPod, on, refusal } from "./attributes.ts";

/** An update that names no image which the pod did not name before may leave the policies as they are. */
function looksAt(attributes: AdmissionAttributes): boolean {
  if (!isPod(attributes)) return false;
  if (attributes.operation !== "UPDATE") return true;
  const before = new Set(containersOf(attributes.oldObject!.spec).map((c) => c.image));
  return containersOf(attributes.object!.spec).some((c) => !before.has(c.image));
}

function validatePolicies(spec: PodSpec, at: Field): void {
  visitContainers(spec, at, (container, field) => {
    if (container.imagePullPolicy === "Always") return;
    field.child("imagePullPolicy").notSupported(container.imagePullPolicy ?? "", ["Always"]);
  });
  spec.volumes?.forEach(({ image }: Volume, i) => {
    if (image === undefined || image.pullPolicy === "Always") return;
    at.child("volumes").index(i).child("image", "pullPolicy").notSupported(image.pullPolicy ?? "", ["Always"]);
  });
}

export function alwaysPullImages(): AdmissionPlugin {
  return {
    name: "AlwaysPullImages",
    handles: on("CREATE", "UPDATE"),
    admit(attributes) {
      if (!looksAt(attributes)) return;
      const spec: PodSpec = attributes.object!.spec;
      for (const container of containersOf(spec)) container.imagePullPolicy = "Always";
      for (const { image } of spec.volumes ?? []) if (image !== undefined) image.pullPolicy = "Always";
    },
    validate(attributes) {
      if (!looksAt(attributes)) return;
      const errors = collect((root) => validatePolicies(attributes.object!.spec, root.child("spec")));
      if (errors.length === 0) return;
      throw unknownError(new AggregateFailure(errors.map((e) => refusal(attributes, formatFieldError(e)))).message);
    },
  };
}
