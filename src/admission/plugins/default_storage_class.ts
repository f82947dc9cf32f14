// DefaultStorageClass: a claim that names no class gets the default one.
import type { AdmissionPlugin } from "../interface.ts";
import { isVolumeClaim, on } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { defaultClassOf } from "./default_class.ts";

const DEFAULT_MARKS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

/** The class of a claim as it was named before the field existed. */
export const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

export function defaultStorageClass({ lookup }: PluginContext): AdmissionPlugin {
  return {
    name: "DefaultStorageClass",
    handles: on("CREATE"),
    looksAt: isVolumeClaim,
    async admit(attributes) {
      const { metadata, spec } = attributes.object!;
      if (metadata.annotations?.[CLASS_ANNOTATION] !== undefined || spec.storageClassName !== undefined) return;
      const chosen = defaultClassOf(await lookup.list("storage.k8s.io", "storageclasses"), DEFAULT_MARKS);
      if (chosen !== undefined) spec.storageClassName = chosen.metadata.name;
    },
  };
}
