// Conversion of custom resources from one version to another.
import type { KubeObject } from "../../machinery/types.ts";

/** Objects of one kind in any versions, all to be had in the same one. */
export interface Converter {
  /** Answers come as promises. */
  readonly isAsync: boolean;
  /**
   * What comes back is in the order of what was given. None of the objects is in the wanted version already; none is
   * changed. Throws a plain 500 when it cannot be done.
   */
  convert(objects: readonly KubeObject[], apiVersion: string): KubeObject[] | Promise<KubeObject[]>;
}

/** The strategy None: only the apiVersion changes. */
export const NONE: Converter = {
  isAsync: false,
  convert: (objects, apiVersion) => objects.map((object) => ({ ...object, apiVersion })),
};
