// Metadata as most kinds check it on update once more, together with everything else of the object.
import { path } from "../machinery/field_error.ts";
import type { KubeObject } from "../machinery/types.ts";
import {
  type Field,
  nameIsDNSSubdomain,
  type ValidateName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../machinery/validation/mod.ts";

/** Metadata of a kind that checks the whole object on update too: its errors stand behind those of the update. */
export function checkMeta(
  { metadata }: KubeObject,
  root: Field,
  { namespaced, validateName = nameIsDNSSubdomain }: { namespaced: boolean; validateName?: ValidateName },
): void {
  root.add(
    validateObjectMeta(metadata, { namespaced, validateName, path: path("metadata"), standardFinalizers: true }),
  );
}

/** For kinds with `checksMetadata`: what every update checks, at the place where the kind does it. */
export function checkMetaUpdate({ metadata }: KubeObject, old: KubeObject, root: Field): void {
  root.add(validateObjectMetaUpdate(metadata, old.metadata, { path: path("metadata"), standardFinalizers: true }));
}
