// What is kept of every CustomResourceDefinition: names and switches. Schemas are read again when a version is used.
import { createHash } from "node:crypto";
import { isConditionTrue } from "../apis/apiextensions/conditions.ts";
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import type { CustomResourceDefinitionVersion } from "../facts/generated/types.ts";
import { sameJson } from "../machinery/apply/mod.ts";
import { compareVersions } from "../machinery/versions.ts";

/** One version of a CustomResourceDefinition, served or not. */
export interface VersionDigest {
  readonly name: string;
  readonly served: boolean;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
  readonly deprecationWarning: string | undefined;
  /** Changes with everything that the version's objects depend on. */
  readonly fingerprint: string;
}

export interface Definition {
  /** `PLURAL.GROUP` */
  readonly name: string;
  readonly uid: string;
  /** Counts the changes of its spec. */
  readonly generation: number;
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** The version in which objects are stored. */
  readonly storageVersion: string;
  readonly versions: readonly VersionDigest[];
  /** Requests are answered. */
  readonly isServed: boolean;
  /** Discovery and OpenAPI tell of it. */
  readonly isEstablished: boolean;
  /** It is being deleted with all its objects: no new ones. */
  readonly isTerminating: boolean;
}

/**
 * Undefined for a CustomResourceDefinition that cannot be served: its names are not settled.
 * @param before what it was: most changes are of the status alone, and the spec need not be looked at again
 */
export function digest(crd: CustomResourceDefinition, before?: Definition): Definition | undefined {
  const { metadata, spec, status } = crd, names = status?.acceptedNames;
  const storage = spec?.versions?.find((version) => version.storage);
  if (!spec?.group || !storage || !names?.plural || !names.singular || !names.kind || !names.listKind) return undefined;
  const isEstablished = isConditionTrue(crd, "Established");
  const state = {
    isServed: isEstablished || isConditionTrue(crd, "NamesAccepted"),
    isEstablished,
    isTerminating: isConditionTrue(crd, "Terminating"),
  };
  if (before !== undefined && isSameSpec(crd, before)) return { ...before, ...state };
  const { group, scope, conversion } = spec, versions = spec.versions ?? [];
  const common = JSON.stringify([
    names.kind,
    names.listKind,
    names.plural,
    scope,
    conversion,
    storage,
    ...versions.map(scaleOf),
  ]);
  return {
    name: metadata.name!,
    uid: metadata.uid!,
    generation: metadata.generation ?? 0,
    group,
    plural: names.plural,
    singular: names.singular,
    kind: names.kind,
    listKind: names.listKind,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === "Namespaced",
    storageVersion: storage.name!,
    versions: versions.map((version) => ({
      name: version.name!,
      served: version.served === true,
      hasStatus: version.subresources?.status !== undefined,
      hasScale: version.subresources?.scale !== undefined,
      deprecationWarning: version.deprecated ? version.deprecationWarning ?? defaultWarning(crd, version) : undefined,
      fingerprint: createHash("sha1").update(common).update(JSON.stringify(version)).digest("base64"),
    })),
    ...state,
  };
}

/** Nothing has changed of what the versions are digested from. */
function isSameSpec({ metadata, status }: CustomResourceDefinition, before: Definition): boolean {
  if (metadata.uid !== before.uid || metadata.generation !== before.generation) return false;
  const { plural, singular, kind, listKind, shortNames, categories } = status?.acceptedNames ?? {};
  return plural === before.plural && singular === before.singular && kind === before.kind &&
    listKind === before.listKind && sameJson(shortNames ?? [], [...before.shortNames]) &&
    sameJson(categories ?? [], [...before.categories]);
}

/** Entries of managedFields of one version are understood in another by where each has its replicas. */
function scaleOf({ name, subresources }: CustomResourceDefinitionVersion): unknown {
  return [name, subresources?.scale?.specReplicasPath];
}

function defaultWarning({ spec }: CustomResourceDefinition, { name }: CustomResourceDefinitionVersion): string {
  const kind = spec!.names!.kind, warning = `${spec!.group}/${name} ${kind} is deprecated`;
  const newer = spec!.versions!.filter((v) => v.served && !v.deprecated && compareVersions(v.name!, name!) < 0)
    .map((v) => v.name!).sort(compareVersions);
  return newer.length === 0 ? warning : `${warning}; use ${spec!.group}/${newer[0]} ${kind}`;
}
