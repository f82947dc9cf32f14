// Rules of the environment of a container.
import type * as v1 from "../../../facts/generated/types.ts";
import { validateDNS1123Label } from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { isConfigMapKey, isDNS1123Subdomain, isRelaxedEnvVarName } from "../../../machinery/validation/names.ts";
import { ENVIRONMENT_FIELDS, validateFieldReference, validateResourceReference } from "./downward.ts";
import { validateNoBacksteps } from "./paths.ts";

export function validateEnv(variables: readonly v1.EnvVar[], at: Field): void {
  for (let i = 0; i < variables.length; i++) {
    const { name = "", valueFrom, value } = variables[i];
    const field = at.index(i);
    if (name === "") field.child("name").required();
    else field.child("name").invalidEach(name, isRelaxedEnvVarName(name));
    if (valueFrom) validateValueFrom(valueFrom, field.child("valueFrom"), { hasValue: (value ?? "") !== "" });
  }
}

function validateValueFrom(source: v1.EnvVarSource, at: Field, options: { hasValue: boolean }): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  if (fieldRef) validateFieldReference(fieldRef, at.child("fieldRef"), ENVIRONMENT_FIELDS);
  if (resourceFieldRef) {
    validateResourceReference(resourceFieldRef, at.child("resourceFieldRef"), { inVolume: false });
  }
  if (configMapKeyRef) validateKeyReference(configMapKeyRef, at.child("configMapKeyRef"));
  if (secretKeyRef) validateKeyReference(secretKeyRef, at.child("secretKeyRef"));
  if (fileKeyRef) validateFileReference(fileKeyRef, at.child("fileKeyRef"));
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter((s) => s).length;
  if (count === 0) {
    at.invalid(
      "",
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
    );
  } else if (options.hasValue) at.invalid("", "may not be specified when `value` is not empty");
  else if (count > 1) at.invalid("", "may not have more than one field specified at a time");
}

function validateKeyReference(reference: v1.ConfigMapKeySelector | v1.SecretKeySelector, at: Field): void {
  const { name = "", key = "" } = reference;
  at.child("name").invalidEach(name, isDNS1123Subdomain(name));
  if (key === "") at.child("key").required();
  else at.child("key").invalidEach(key, isConfigMapKey(key));
}

/** A variable out of a file that an init container wrote (KEP-5307). */
function validateFileReference(reference: v1.FileKeySelector, at: Field): void {
  const { key = "", volumeName = "", path = "" } = reference;
  if (key === "") at.child("key").required();
  else at.child("key").invalidEach(key, isRelaxedEnvVarName(key));
  if (volumeName === "") at.child("volumeName").required();
  else validateDNS1123Label(volumeName, at.child("volumeName"));
  if (path === "") at.child("path").required();
  else validateNoBacksteps(path, at.child("path"));
}

/** Whole config maps and secrets. Errors of the number of sources are reported of the list. */
export function validateEnvFrom(sources: readonly v1.EnvFromSource[], at: Field): void {
  sources.forEach((source, i) => {
    const field = at.index(i), { prefix = "", configMapRef, secretRef } = source;
    if (prefix !== "") field.child("prefix").invalidEach(prefix, isRelaxedEnvVarName(prefix));
    if (configMapRef) validateSourceName(configMapRef.name ?? "", field.child("configMapRef"));
    if (secretRef) validateSourceName(secretRef.name ?? "", field.child("secretRef"));
    if (!configMapRef && !secretRef) at.invalid("", "must specify one of: `configMapRef` or `secretRef`");
    else if (configMapRef && secretRef) at.invalid("", "may not have more than one field specified at a time");
  });
}

function validateSourceName(name: string, at: Field): void {
  if (name === "") return at.child("name").required();
  // As with a generateName, a dash at the end passes.
  const checked = name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
  at.child("name").invalidEach(name, isDNS1123Subdomain(checked));
}
