// Priority classes: how urgent pods are (KEP-268).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field, validateImmutable } from "../../machinery/validation/mod.ts";
import { AGE, boolean, integer, NAME, text } from "../columns.ts";
import type { PriorityClass } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type ClassObject = KubeObject & PriorityClass;

/** Values above it are the system's. */
const HIGHEST_FOR_USERS = 1_000_000_000;
const SYSTEM_PREFIX = "system-";
/** Name → value of the classes that every server makes at its start. */
const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};
const POLICIES = ["PreemptLowerPriority", "Never"];

/** Whether every server makes the class at its start. */
export function isSystemPriorityClass(name: string): boolean {
  return Object.hasOwn(SYSTEM_CLASSES, name);
}

function check(
  { metadata: { name = "" }, value = 0, globalDefault = false, preemptionPolicy }: ClassObject,
  root: Field,
) {
  if (name.startsWith(SYSTEM_PREFIX)) {
    const problem = systemClassProblem(name, value, globalDefault);
    if (problem !== undefined) {
      root.child("metadata", "name").forbidden(
        `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only. error: ${problem}`,
      );
    }
  } else if (value > HIGHEST_FOR_USERS) {
    root.child("value").forbidden(`maximum allowed value of a user defined priority is ${HIGHEST_FOR_USERS}`);
  }
  const at = root.child("preemptionPolicy");
  if (preemptionPolicy === "") at.required();
  else if (preemptionPolicy !== undefined && !POLICIES.includes(preemptionPolicy)) {
    at.notSupportedInOrder(preemptionPolicy, POLICIES);
  }
}

function systemClassProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = SYSTEM_CLASSES[name];
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  if (globalDefault) return `globalDefault of ${name} PriorityClass must be false`;
}

export const priorityClass: KindDefinition<ClassObject> = {
  gvk: { group: "scheduling.k8s.io", version: "v1", kind: "PriorityClass" },
  resource: "priorityclasses",
  setDefaults(object) {
    object.preemptionPolicy ??= "PreemptLowerPriority";
  },
  prepareForCreate({ metadata }) {
    // It is never counted on.
    metadata.generation = 1;
  },
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object, old) =>
    collect((root) => {
      if ((object.value ?? 0) !== (old.value ?? 0)) root.child("value").forbidden("may not be changed in an update.");
      validateImmutable(
        { now: object.preemptionPolicy, before: old.preemptionPolicy },
        root.child("preemptionPolicy"),
      );
    }),
  columns: [
    NAME,
    integer("Value", "The priority.", (o) => o.value ?? 0),
    boolean("Global-Default", "Whether pods without a class get it.", (o) => o.globalDefault ?? false),
    AGE,
    text("PreemptionPolicy", "Whether its pods drive others out.", (o) => o.preemptionPolicy ?? ""),
  ],
};
