// Rules of projected volumes: several sources in one directory.
import type * as v1 from "../../../facts/generated/types.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { validateDownwardFile } from "./downward.ts";
import type { PodOptions } from "./options.ts";
import { validateFileMode, validateNonReservedPath } from "./paths.ts";
import { validateKeyToPath } from "./volume_sources.ts";

const TEN_MINUTES = 10 * 60;
const LONGEST = 2 ** 32;

export function validateProjected(source: v1.ProjectedVolumeSource, at: Field, options: PodOptions): void {
  validateFileMode(source.defaultMode, at.child("defaultMode"));
  const paths = new Set<string>();
  source.sources?.forEach((projection, i) => {
    const field = at.child("sources").index(i);
    validateProjection(projection, field, { options, volume: at, paths });
    const { secret, configMap, downwardAPI, serviceAccountToken } = projection;
    if ([secret, configMap, downwardAPI, serviceAccountToken].filter((s) => s !== undefined).length > 1) {
      field.forbidden("may not specify more than 1 volume type per source");
    }
  });
}

interface ProjectionScope {
  options: PodOptions;
  /** The volume: where conflicts between sources are reported. */
  volume: Field;
  /** Paths that are taken. */
  paths: Set<string>;
}

/** `shown`: what the message calls the one that came too late. */
function takePath(path: string, shown: string, scope: ProjectionScope): void {
  if (scope.paths.has(path)) scope.volume.invalid(shown, "conflicting duplicate paths");
  scope.paths.add(path);
}

function validateProjection(projection: v1.VolumeProjection, at: Field, scope: ProjectionScope): void {
  for (const type of ["secret", "configMap"] as const) {
    const source = projection[type];
    if (!source) continue;
    const field = at.child(type), { name = "" } = source;
    if (name === "") field.child("name").required();
    source.items?.forEach((item, i) => {
      validateKeyToPath(item, field.child("items").index(i));
      if (item.path) takePath(item.path, name, scope);
    });
  }
  for (const file of projection.downwardAPI?.items ?? []) {
    validateDownwardFile(file, at.child("downwardAPI"));
    if (file.path) takePath(file.path, file.path, scope);
  }
  if (projection.serviceAccountToken) {
    validateToken(projection.serviceAccountToken, at.child("serviceAccountToken"), scope);
  }
}

function validateToken(token: v1.ServiceAccountTokenProjection, at: Field, scope: ProjectionScope): void {
  const { expirationSeconds = 0, path = "" } = token;
  if (expirationSeconds < TEN_MINUTES) {
    at.child("expirationSeconds").invalid(expirationSeconds, "may not specify a duration less than 10 minutes");
  }
  if (expirationSeconds > LONGEST) {
    at.child("expirationSeconds").invalid(expirationSeconds, "may not specify a duration larger than 2^32 seconds");
  }
  if (path === "") scope.volume.child("path").required();
  else if (!scope.options.allowNonLocalTokenPath) validateNonReservedPath(path, scope.volume.child("path"));
}
