// What an update may change of a pod.
import { withMembers } from "../../machinery/empty_members.ts";
import { deepEqual } from "../../machinery/validation/equality.ts";
import type { Field } from "../../machinery/validation/field.ts";
import { rangeMessage } from "../../machinery/validation/names.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { internalDiff, internalForm } from "../internal_form.ts";
import { validateImageWhitespace } from "./pod_spec/containers.ts";
import type { PodOptions } from "./pod_spec/options.ts";
import { validateTolerations } from "./pod_spec/scheduling.ts";

const MAX_INT32 = 2 ** 31 - 1;

const UPDATABLE = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

interface Change {
  spec: v1.PodSpec;
  old: v1.PodSpec;
}

/** `at` is the spec. */
export function validatePodSpecUpdate(change: Change, at: Field, options: PodOptions): void {
  for (const list of ["containers", "initContainers"] as const) {
    if (!validateContainerList(change, list, at.child(list))) return;
  }
  if (!validateDeadline(change, at.child("activeDeadlineSeconds"))) return;
  validateAddedTolerations(change, at.child("tolerations"), options);
  validateDeletedGates(change, at.child("schedulingGates"));
  const { spec, old } = change;
  if (deepEqual(spec, old)) return;
  const rest = withoutUpdatable(change);
  if (old.schedulingGates?.length) allowNodeChoice(rest, old, at);
  if (!deepEqual(rest, old)) {
    at.forbidden(
      `pod updates may not change fields other than ${UPDATABLE}\n${internalDiff("PodSpec", old, rest)}`,
    );
  }
}

/** False: the lists do not fit, and nothing more can be said. */
function validateContainerList({ spec, old }: Change, list: "containers" | "initContainers", at: Field): boolean {
  const now = spec[list] ?? [], before = old[list] ?? [];
  if (now.length !== before.length) {
    at.forbidden("pod updates may not add or remove containers");
    return false;
  }
  now.forEach((container, i) => {
    if (!container.image) at.index(i).child("image").required();
    validateImageWhitespace(container, at.index(i));
  });
  return true;
}

function validateDeadline({ spec, old }: Change, at: Field): boolean {
  const now = spec.activeDeadlineSeconds, before = old.activeDeadlineSeconds;
  if (now === undefined) {
    if (before !== undefined) at.invalid(null, "must not update from a positive integer to nil value");
    return true;
  }
  if (now < 0 || now > MAX_INT32) at.invalid(now, rangeMessage(0, MAX_INT32));
  else if (before !== undefined && before < now) at.invalid(now, "must be less than or equal to previous value");
  else return true;
  return false;
}

function validateAddedTolerations({ spec, old }: Change, at: Field, options: PodOptions): void {
  const now = spec.tolerations ?? [];
  const kept = (old.tolerations ?? []).every((before) =>
    now.some((after) => deepEqual({ ...before, tolerationSeconds: after.tolerationSeconds }, after))
  );
  if (!kept) return at.forbidden("existing toleration can not be modified except its tolerationSeconds");
  validateTolerations(now, at, options);
}

function validateDeletedGates({ spec, old }: Change, at: Field): void {
  const before = new Set(old.schedulingGates?.map((gate) => gate.name ?? ""));
  spec.schedulingGates?.forEach(({ name = "" }, i) => {
    if (before.has(name)) return;
    at.index(i).child("name").forbidden(`only deletion is allowed, but found new scheduling gate '${name}'`);
  });
}

/** The new spec with the old values of everything that may change. */
function withoutUpdatable({ spec, old }: Change): v1.PodSpec {
  const withOldImages = (now: v1.Container[] | null | undefined, before: v1.Container[] | null | undefined) =>
    now?.map((container, i) => withMembers(container, { image: before![i].image }));
  const rest = withMembers(spec, {
    containers: withOldImages(spec.containers, old.containers),
    initContainers: withOldImages(spec.initContainers, old.initContainers),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
  });
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) {
    rest.terminationGracePeriodSeconds = old.terminationGracePeriodSeconds;
  }
  return rest;
}

/** While it is gated, the nodes that a pod may go to can be narrowed (KEP-3838). Puts the old choice back. */
function allowNodeChoice(rest: v1.PodSpec, old: v1.PodSpec, at: Field): void {
  if (!deepEqual(rest.nodeSelector, old.nodeSelector)) {
    const now = rest.nodeSelector ?? {}, before = old.nodeSelector ?? {};
    if (Object.keys(before).some((key) => now[key] !== before[key])) {
      at.child("nodeSelector").invalid(
        rest.nodeSelector ?? null,
        "only additions to spec.nodeSelector are allowed (no mutations or deletions)",
      );
    }
    rest.nodeSelector = old.nodeSelector;
  }
  const now = rest.affinity?.nodeAffinity, before = old.affinity?.nodeAffinity;
  if (deepEqual(now, before)) return;
  validateNodeAffinityChange({ now, before }, at.child("affinity", "nodeAffinity"));
  const { podAffinity, podAntiAffinity } = rest.affinity ?? {};
  if (!rest.affinity) rest.affinity = { nodeAffinity: before };
  else if (!old.affinity && !podAffinity && !podAntiAffinity) rest.affinity = undefined;
  else rest.affinity = { ...rest.affinity, nodeAffinity: before };
}

interface AffinityChange {
  now: v1.NodeAffinity | undefined;
  before: v1.NodeAffinity | undefined;
}

function validateNodeAffinityChange({ now, before }: AffinityChange, at: Field): void {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const oldTerms = before?.[required]?.nodeSelectorTerms ?? [], terms = now?.[required]?.nodeSelectorTerms ?? [];
  if (oldTerms.length === 0) return;
  const field = at.child(required, "nodeSelectorTerms");
  const shown = (term: v1.NodeSelectorTerm) => internalForm("NodeSelectorTerm", term);
  if (oldTerms.length !== terms.length) {
    return field.invalid(
      terms.length === 0 ? null : terms.map(shown),
      "no additions/deletions to non-empty NodeSelectorTerms list are allowed",
    );
  }
  oldTerms.forEach((old, i) => {
    if (onlyAdds(terms[i], old)) return;
    field.index(i).invalid(shown(terms[i]), "only additions are allowed (no mutations or deletions)");
  });
}

/** An empty term matches nothing: adding to it would widen the choice. */
function onlyAdds(now: v1.NodeSelectorTerm, old: v1.NodeSelectorTerm): boolean {
  const size = (term: v1.NodeSelectorTerm) => (term.matchExpressions?.length ?? 0) + (term.matchFields?.length ?? 0);
  if (size(old) === 0) return size(now) === 0;
  return (["matchExpressions", "matchFields"] as const).every((member) => {
    const before = old[member] ?? [];
    return deepEqual((now[member] ?? []).slice(0, before.length), before);
  });
}

/** Containers for debugging can only be added. */
export function validateEphemeralContainersUpdate({ spec, old }: Change, at: Field): void {
  const now = new Map(spec.ephemeralContainers?.map((container) => [container.name ?? "", container]));
  for (const before of old.ephemeralContainers ?? []) {
    const name = before.name ?? "", after = now.get(name);
    if (!after) at.forbidden(`existing ephemeral containers "${name}" may not be removed\n`);
    else if (!deepEqual(before, after)) {
      at.forbidden(
        `existing ephemeral containers "${name}" may not be changed\n${
          internalDiff("EphemeralContainer", before, after)
        }`,
      );
    }
  }
}
