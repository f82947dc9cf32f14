// Metadata as kinds with `checksMetadata` check it themselves, at the place where it belongs among their own rules.
import { path } from "../machinery/field_error.ts";
import type { KubeObject } from "../machinery/types.ts";
import {
  type Field,
  nameIsDNSSubdomain,
  type ValidateName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../machinery/validation/mod.ts";

const METADATA = path("metadata");

export interface MetaRules {
  namespaced: boolean;
  /** RFC 1123 subdomain unless set. */
  validateName?: ValidateName;
  /** Whether finalizers without a domain must be standard ones; true unless set. */
  standardFinalizers?: boolean;
}

/** All of metadata, as on create. */
export function checkMeta({ metadata }: KubeObject, root: Field, rules: MetaRules): void {
  const { namespaced, validateName = nameIsDNSSubdomain, standardFinalizers = true } = rules;
  root.add(validateObjectMeta(metadata, { namespaced, validateName, standardFinalizers, path: METADATA }));
}

/** What no update may change in metadata. */
export function checkMetaUpdate(
  { metadata }: KubeObject,
  old: KubeObject,
  root: Field,
  { standardFinalizers = true }: Pick<MetaRules, "standardFinalizers"> = {},
): void {
  root.add(validateObjectMetaUpdate(metadata, old.metadata, { path: METADATA, standardFinalizers }));
}
