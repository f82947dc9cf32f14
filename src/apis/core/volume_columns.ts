// What Tables show of volumes and of claims to them alike.
import type { KubeObject } from "../../machinery/types.ts";
import { text, wide } from "../columns.ts";

/** Where the class of a volume stood before there was a field for it. */
export const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

type Classified = KubeObject & {
  spec?: { storageClassName?: string | null; volumeAttributesClassName?: string | null; volumeMode?: string | null };
};

export const STORAGE_CLASS = text<Classified>(
  "StorageClass",
  "Class.",
  ({ metadata, spec }) => metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? "",
);

export const ATTRIBUTES_CLASS = text<Classified>(
  "VolumeAttributesClass",
  "Class of its attributes.",
  ({ spec }) => spec?.volumeAttributesClassName ?? "<unset>",
);

export const VOLUME_MODE = wide(
  text<Classified>("VolumeMode", "Filesystem or block device.", ({ spec }) => spec?.volumeMode ?? "<unset>"),
);
