// Rules of metadata, on create and on update.
import type { FieldError, Path } from "../field_error.ts";
import { type ManagedFieldsEntry, type ObjectMeta, type OwnerReference, parseApiVersion } from "../types.ts";
import { deepEqual } from "./equality.ts";
import { Field } from "./field.ts";
import { goStrings, goUnicode, unprintables, utf8Length } from "../go_text.ts";
import { IMMUTABLE } from "./immutable.ts";
import { validateAnnotations, validateLabels } from "./labels.ts";
import { isDNS1123Label, isQualifiedName, type ValidateName } from "./names.ts";
import { validateNonnegative } from "./numbers.ts";

const MAX_FIELD_MANAGER = 128;
const MAX_SUBRESOURCE = 256;
const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";
/** Finalizers that may stand without a domain. */
const STANDARD_FINALIZERS = new Set(["kubernetes", ORPHAN, FOREGROUND]);

export interface ObjectMetaOptions {
  namespaced: boolean;
  validateName: ValidateName;
  path: Path;
  /**
   * Finalizers without a domain must be standard ones: so it is for all built-in kinds but those of
   * admissionregistration.k8s.io, and not for custom resources.
   */
  standardFinalizers?: boolean;
  /** The rule of kinds that do not look at generateName, only at the name that came of it. */
  ignoreGenerateName?: boolean;
}

/** Everything wrong with metadata on create; the name has been generated. */
export function validateObjectMeta(meta: ObjectMeta, options: ObjectMetaOptions): FieldError[] {
  const errors: FieldError[] = [];
  const at = Field.root(errors, options.path.text);
  if (meta.generateName && !options.ignoreGenerateName) {
    at.child("generateName").invalidEach(meta.generateName, options.validateName(meta.generateName, true));
  }
  if (!meta.name) at.child("name").required("name or generateName is required");
  else at.child("name").invalidEach(meta.name, options.validateName(meta.name, false));
  if (options.namespaced) {
    if (!meta.namespace) at.child("namespace").required();
    else at.child("namespace").invalidEach(meta.namespace, isDNS1123Label(meta.namespace));
  } else if (meta.namespace) {
    at.child("namespace").forbidden("not allowed on this type");
  }
  validateNonnegative(meta.generation, at.child("generation"));
  validateLabels(meta.labels, at.child("labels"));
  validateAnnotations(meta.annotations, at.child("annotations"));
  validateOwnerReferences(meta.ownerReferences ?? [], at.child("ownerReferences"));
  validateFinalizers(meta.finalizers ?? [], at.child("finalizers"));
  validateManagedFields(meta.managedFields ?? [], at.child("managedFields"));
  if (options.standardFinalizers) validateStandardFinalizers(meta.finalizers ?? [], at.child("finalizers"));
  return errors;
}

const IMMUTABLE_FIELDS = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

/** What the value of an immutable field is shown as when it is not set: these are no pointers. */
const UNSET: Partial<Record<typeof IMMUTABLE_FIELDS[number], string>> = { name: "", namespace: "", uid: "" };

/** Everything wrong with a change of metadata. */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  options: { path: Path; standardFinalizers?: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const at = Field.root(errors, options.path.text);
  if (old.deletionTimestamp) validateNoNewFinalizers(meta.finalizers ?? [], old.finalizers ?? [], at);
  if (!meta.resourceVersion) at.child("resourceVersion").invalid("", "must be specified for an update");
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    at.child("generation").invalid(meta.generation ?? 0, "must not be decremented");
  }
  for (const field of IMMUTABLE_FIELDS) {
    if ((meta[field] ?? UNSET[field] ?? null) !== (old[field] ?? UNSET[field] ?? null)) {
      at.child(field).invalid(meta[field] ?? UNSET[field] ?? null, IMMUTABLE);
    }
  }
  // Labels and the like are nearly always as they were, but what was stored by older rules is checked again.
  validateLabels(meta.labels, at.child("labels"));
  validateAnnotations(meta.annotations, at.child("annotations"));
  validateOwnerReferences(meta.ownerReferences ?? [], at.child("ownerReferences"));
  validateManagedFields(meta.managedFields ?? [], at.child("managedFields"));
  if (options.standardFinalizers) validateStandardFinalizers(meta.finalizers ?? [], at.child("finalizers"));
  return errors;
}

function validateOwnerReference(reference: OwnerReference, at: Field): void {
  const { apiVersion = "", kind = "", name = "", uid = "" } = reference;
  const gv = parseApiVersion(apiVersion);
  if (!gv?.version) at.child("apiVersion").invalid(apiVersion, "version must not be empty");
  if (kind === "") at.child("kind").invalid(kind, "must not be empty");
  if (name === "") at.child("name").invalid(name, "must not be empty");
  if (uid === "") at.child("uid").invalid(uid, "must not be empty");
  if (gv?.group === "" && gv.version === "v1" && kind === "Event") {
    at.invalid(reference, "/v1, Kind=Event is disallowed from being an owner");
  }
}

/** At most one owner may be the controller. */
function validateOwnerReferences(references: readonly OwnerReference[], at: Field): void {
  let controller: string | undefined;
  for (const reference of references) {
    validateOwnerReference(reference, at);
    if (!reference.controller) continue;
    const name = `${reference.kind ?? ""}/${reference.name ?? ""}`;
    if (controller === undefined) controller = name;
    else {
      at.invalid(
        references,
        `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
      );
    }
  }
}

function validateFinalizers(finalizers: readonly string[], at: Field): void {
  for (const finalizer of finalizers) at.invalidEach(finalizer, isQualifiedName(finalizer));
  if (finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND)) {
    at.invalid(finalizers, `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`);
  }
}

/** A finalizer that is no standard one must be qualified by a domain. */
function validateStandardFinalizers(finalizers: readonly string[], at: Field): void {
  finalizers.forEach((finalizer, i) => {
    if (!finalizer.includes("/") && !STANDARD_FINALIZERS.has(finalizer)) {
      at.index(i).invalid(finalizer, "name is neither a standard finalizer name nor is it fully qualified");
    }
  });
}

function validateNoNewFinalizers(now: readonly string[], before: readonly string[], at: Field): void {
  const added = [...new Set(now)].filter((finalizer) => !before.includes(finalizer)).sort();
  if (added.length === 0) return;
  at.child("finalizers").forbidden(
    `no new finalizers can be added if the object is being deleted, found new finalizers ${goStrings(added)}`,
  );
}

/** A field manager's name: at most 128 bytes that can be printed. */
export function validateFieldManager(manager: string, at: Field): void {
  if (utf8Length(manager) > MAX_FIELD_MANAGER) at.tooLong(MAX_FIELD_MANAGER);
  for (const { character, position } of unprintables(manager)) {
    at.invalid(manager, `invalid character ${goUnicode(character)} (at position ${position})`);
  }
}

function validateManagedFields(entries: readonly ManagedFieldsEntry[], at: Field): void {
  entries.forEach((entry, i) => {
    const field = at.index(i);
    if (entry.operation !== "Apply" && entry.operation !== "Update") {
      field.child("operation").invalid(entry.operation ?? "", "must be `Apply` or `Update`");
    }
    if (entry.fieldsType && entry.fieldsType !== "FieldsV1") {
      field.child("fieldsType").invalid(entry.fieldsType, "must be `FieldsV1`");
    }
    validateFieldManager(entry.manager ?? "", field.child("manager"));
    if ((entry.subresource ?? "").length > MAX_SUBRESOURCE) field.child("subresource").tooLong(MAX_SUBRESOURCE);
  });
}

/** Whether anything but metadata and status changed: what counts as a new generation. */
export function specChanged(
  object: Readonly<Record<string, unknown>>,
  old: Readonly<Record<string, unknown>>,
): boolean {
  return !deepEqual({ ...object, metadata: null, status: null }, { ...old, metadata: null, status: null });
}
