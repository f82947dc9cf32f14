// Storage classes: how volumes are made.
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field, validateImmutable, validateLabelName } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { StorageClass, TopologySelectorTerm } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";
import { checkParameters, checkProvisioner } from "./provisioner.ts";

type ClassObject = KubeObject & StorageClass;

const RECLAIM_POLICIES = ["Delete", "Retain"];
const BINDING_MODES = ["Immediate", "WaitForFirstConsumer"];
const DEFAULT_CLASS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

function check(object: ClassObject, root: Field): void {
  const { reclaimPolicy, volumeBindingMode = "" } = object;
  checkMeta(object, root, { namespaced: false });
  checkProvisioner(object.provisioner, root.child("provisioner"));
  checkParameters(object.parameters, root.child("parameters"));
  if (reclaimPolicy && !RECLAIM_POLICIES.includes(reclaimPolicy)) {
    root.child("reclaimPolicy").notSupported(reclaimPolicy, RECLAIM_POLICIES);
  }
  if (!BINDING_MODES.includes(volumeBindingMode)) {
    root.child("volumeBindingMode").notSupported(volumeBindingMode, BINDING_MODES);
  }
  checkTopologies(object.allowedTopologies ?? [], root.child("allowedTopologies"));
}

type Topology = Record<string, string[]>;

function checkTopologies(terms: readonly TopologySelectorTerm[], at: Field): void {
  // The real server compares with as many empty terms as there are terms, so that an empty one is never alone.
  const known: Topology[] = terms.map(() => ({}));
  terms.forEach((term, i) => {
    const topology = checkTopology(term, at.index(i));
    for (const other of known) if (isSame(topology, other)) at.index(i).child("matchLabelExpressions").duplicate("");
    known.push(topology);
  });
}

function checkTopology({ matchLabelExpressions = [] }: TopologySelectorTerm, at: Field): Topology {
  const topology: Topology = {};
  matchLabelExpressions.forEach(({ key = "", ...rest }, i) => {
    const field = at.child("matchLabelExpressions").index(i), values = rest.values ?? [];
    if (values.length === 0) field.child("values").required();
    values.forEach((value, j) => {
      if (values.indexOf(value) < j) field.child("values").index(j).duplicate(value);
    });
    validateLabelName(key, field.child("key"));
    if (key in topology) field.child("key").duplicate(key);
    topology[key] = [...new Set(values)].sort();
  });
  return topology;
}

/** Values are sorted and each there once. */
function isSame(a: Topology, b: Topology): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && a[key].join() === b[key].join());
}

/** Members that no update changes. */
const IMMUTABLE = ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] as const;

function checkUpdate(object: ClassObject, old: ClassObject, root: Field): void {
  check(object, root);
  checkMetaUpdate(object, old, root);
  for (const member of IMMUTABLE) {
    const empty = member === "parameters" ? {} : undefined;
    const values = { now: object[member] ?? empty, before: old[member] ?? empty, shown: object[member] ?? null };
    validateImmutable(values, root.child(member));
  }
}

function warnings({ allowedTopologies }: ClassObject): string[] {
  return (allowedTopologies ?? []).flatMap(({ matchLabelExpressions = [] }, i) =>
    matchLabelExpressions.flatMap(({ key = "" }, j) => {
      const message = podRules.module.deprecatedNodeLabel(key);
      return message === undefined ? [] : [`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${message}`];
    })
  );
}

export const storageClass: KindDefinition<ClassObject> = {
  gvk: { group: "storage.k8s.io", version: "v1", kind: "StorageClass" },
  resource: "storageclasses",
  load: () => podRules.load(),
  returnsDeletedObject: true,
  setDefaults(object) {
    object.reclaimPolicy ??= "Delete";
    object.volumeBindingMode ??= "Immediate";
  },
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object, old) => collect((root) => checkUpdate(object, old, root)),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
  columns: [
    {
      ...NAME,
      cell: ({ metadata: { name = "", annotations = {} } }) =>
        DEFAULT_CLASS.some((key) => annotations[key] === "true") ? `${name} (default)` : name,
    },
    text("Provisioner", "Who makes the volumes.", (o) => o.provisioner ?? ""),
    text("ReclaimPolicy", "What becomes of volumes that are given up.", (o) => o.reclaimPolicy ?? "Delete"),
    text("VolumeBindingMode", "When volumes are bound.", (o) => o.volumeBindingMode ?? "Immediate"),
    text("AllowVolumeExpansion", "Whether volumes may grow.", (o) => o.allowVolumeExpansion ?? false),
    AGE,
  ],
};
