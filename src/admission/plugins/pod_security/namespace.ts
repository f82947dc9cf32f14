// What a change of a namespace's level says about the pods that are there already.
import type { KubeObject } from "../../../machinery/types.ts";
import { goQuote } from "../../../machinery/go_text.ts";
import type { Exemptions } from "./configuration.ts";
import { controls } from "./later.ts";
import {
  arePoliciesEquivalent,
  formatLevelVersion,
  isFullyPrivileged,
  LABEL_PREFIX,
  type LevelVersion,
  MODES,
  type Policy,
} from "./levels.ts";

const MAX_PODS = 3000;
const MAX_MILLISECONDS = 1000;

/** One pod of each controller first: the others are like it. */
function prioritize(pods: readonly KubeObject[], exemptions: Exemptions): KubeObject[] {
  const first: KubeObject[] = [], rest: KubeObject[] = [], seen = new Set<string>();
  for (const pod of pods) {
    if (exemptions.runtimeClasses.has(pod.spec.runtimeClassName ?? "")) continue;
    const owner = pod.metadata.ownerReferences?.find((reference) => reference.controller)?.uid;
    if (owner !== undefined && seen.has(owner)) rest.push(pod);
    else first.push(pod);
    if (owner !== undefined) seen.add(owner);
  }
  return [...first, ...rest];
}

/** Names of the pods for which each warning holds. */
function warningsByText(pods: readonly KubeObject[], enforce: LevelVersion) {
  const byText = new Map<string, string[]>();
  const deadline = performance.now() + MAX_MILLISECONDS;
  let checked = 0;
  for (const { metadata, spec } of pods.slice(0, MAX_PODS)) {
    const violations = controls.module.evaluatePod(enforce, { metadata, spec });
    checked++;
    if (violations.length > 0) {
      const text = violations.map((violation) => violation.reason).join(", ");
      byText.set(text, [...byText.get(text) ?? [], metadata.name!]);
    }
    if (performance.now() > deadline) break;
  }
  return { byText, checked };
}

function others(count: number): string {
  return count === 0 ? "" : count === 1 ? " (and 1 other pod)" : ` (and ${count} other pods)`;
}

/** Warnings about the pods of a namespace that violate what is about to be enforced; the controls have been loaded. */
export function warnAboutPods(
  namespace: string,
  enforce: LevelVersion,
  { pods, exemptions }: { pods: readonly KubeObject[]; exemptions: Exemptions },
): string[] {
  const prioritized = prioritize(pods, exemptions);
  const { byText, checked } = warningsByText(prioritized, enforce);
  const level = formatLevelVersion(enforce);
  return [
    ...checked < prioritized.length
      ? [
        `new PodSecurity enforce level only checked against the first ${checked} of ${prioritized.length} existing pods`,
      ]
      : [],
    ...byText.size > 0
      ? [`existing pods in namespace ${goQuote(namespace)} violate the new PodSecurity enforce level ${goQuote(level)}`]
      : [],
    ...[...byText].map(([text, names]) => `${names.sort()[0]}${others(names.length - 1)}: ${text}`).sort(),
  ];
}

/** The warning about labels of an exempt namespace, which do nothing; undefined when there is nothing to say. */
export function exemptWarning({ metadata }: KubeObject, policy: Policy, defaults: Policy): string | undefined {
  if (isFullyPrivileged(policy) || arePoliciesEquivalent(policy, defaults)) return undefined;
  const { labels = {} } = metadata;
  const said = MODES.filter((mode) =>
    policy[mode].level !== "privileged" &&
    (LABEL_PREFIX + mode in labels || `${LABEL_PREFIX}${mode}-version` in labels)
  ).map((mode) => `${mode}=${formatLevelVersion(policy[mode])}`).join(", ");
  return `namespace ${goQuote(metadata.name!)} is exempt from Pod Security, and the policy (${said}) will be ignored`;
}
