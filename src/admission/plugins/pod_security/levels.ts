// Levels and versions of pod security, and what the labels of a namespace say (KEP-2579).
import { type FieldError, invalid, path } from "../../../machinery/field_error.ts";

/** From what allows most to what allows least. */
const LEVELS = ["privileged", "baseline", "restricted"] as const;

export type Level = typeof LEVELS[number];

/** The minor version of the policy; infinite: the newest there is. */
export interface LevelVersion {
  level: Level;
  minor: number;
}

export const MODES = ["enforce", "audit", "warn"] as const;

export type Policy = Record<typeof MODES[number], LevelVersion>;

export const LABEL_PREFIX = "pod-security.kubernetes.io/";

/** Undefined when there is no such level. */
export function parseLevel(text: string): Level | undefined {
  return LEVELS.find((level) => level === text);
}

/** Undefined when the text is neither `latest` nor `v1.x`. */
export function parseVersion(text: string): number | undefined {
  if (text === "latest") return Infinity;
  const match = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}

export const LEVEL_PROBLEM = `must be one of ${LEVELS.join(", ")}`;
export const VERSION_PROBLEM = `must be "latest" or "v1.x"`;

export function formatLevelVersion({ level, minor }: LevelVersion): string {
  return `${level}:${minor === Infinity ? "latest" : `v1.${minor}`}`;
}

/** Positive when `a` allows less. */
export function compareLevels(a: Level, b: Level): number {
  return LEVELS.indexOf(a) - LEVELS.indexOf(b);
}

export function isFullyPrivileged(policy: Policy): boolean {
  return MODES.every((mode) => policy[mode].level === "privileged");
}

/** Any version of privileged is the same. */
export function arePoliciesEquivalent(a: Policy, b: Policy): boolean {
  return MODES.every((mode) =>
    a[mode].level === b[mode].level && (a[mode].level === "privileged" || a[mode].minor === b[mode].minor)
  );
}

type Labels = Readonly<Record<string, string>> | undefined;

/** A bad label enforces the strictest level, and audits and warns about nothing. */
export function policyOf(labels: Labels, defaults: Policy): { policy: Policy; errors: FieldError[] } {
  const policy = { enforce: { ...defaults.enforce }, audit: { ...defaults.audit }, warn: { ...defaults.warn } };
  const errors: FieldError[] = [];
  const at = path("metadata", "labels");
  for (const mode of MODES) {
    const level = labels?.[LABEL_PREFIX + mode], version = labels?.[`${LABEL_PREFIX}${mode}-version`];
    if (level !== undefined) {
      const known = parseLevel(level);
      if (known === undefined) errors.push(invalid(at.key(LABEL_PREFIX + mode), level, LEVEL_PROBLEM));
      policy[mode].level = known ?? (mode === "enforce" ? "restricted" : "privileged");
    }
    if (version !== undefined) {
      const minor = parseVersion(version);
      if (minor === undefined) errors.push(invalid(at.key(`${LABEL_PREFIX}${mode}-version`), version, VERSION_PROBLEM));
      policy[mode].minor = minor ?? Infinity;
    }
  }
  warnAsEnforced(policy, labels);
  return { policy, errors };
}

/** Whoever is refused wants to know about templates too. */
function warnAsEnforced({ enforce, warn }: Policy, labels: Labels): void {
  const enforced = labels?.[`${LABEL_PREFIX}enforce`];
  if (enforced === undefined || parseLevel(enforced) === undefined || labels?.[`${LABEL_PREFIX}warn`] !== undefined) {
    return;
  }
  if (compareLevels(enforce.level, warn.level) <= 0) return;
  warn.level = enforce.level;
  if (labels?.[`${LABEL_PREFIX}warn-version`] === undefined) warn.minor = enforce.minor;
}
