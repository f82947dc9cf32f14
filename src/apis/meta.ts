// Metadata as kinds with `checksMetadata` check it themselves, at the place where it belongs among their own rules, and
// as templates have it.
import { path } from "../machinery/field_error.ts";
import type { KubeObject, ObjectMeta } from "../machinery/types.ts";
import {
  type Field,
  nameIsDNSSubdomain,
  validateAnnotations,
  validateLabels,
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

/** Members of metadata that a template may not set, in the order of the Go type, by the name that messages use. */
const NOT_IN_TEMPLATES = [
  ["name", "name"],
  ["generateName", "generateName"],
  ["namespace", "namespace"],
  ["selfLink", "selfLink"],
  ["uid", "uID"],
  ["resourceVersion", "resourceVersion"],
  ["generation", "generation"],
  ["creationTimestamp", "creationTimestamp"],
  ["deletionTimestamp", "deletionTimestamp"],
  ["deletionGracePeriodSeconds", "deletionGracePeriodSeconds"],
  ["ownerReferences", "ownerReferences"],
  ["finalizers", "finalizers"],
  ["managedFields", "managedFields"],
] as const;

/** Metadata of a template inside another object: only labels and annotations may be set. */
export function checkTemplateMeta(metadata: Partial<ObjectMeta> = {}, at: Field): void {
  validateAnnotations(metadata.annotations, at.child("annotations"));
  validateLabels(metadata.labels, at.child("labels"));
  for (const [member, shown] of NOT_IN_TEMPLATES) {
    if (metadata[member]) at.child(shown).forbidden("cannot be set");
  }
}
