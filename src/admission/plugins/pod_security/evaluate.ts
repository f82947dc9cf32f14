// Evaluates a pod at a level in a version: which checks there are, in which order their answers come.
import type { Check, CheckFunction, PodLike, Violation } from "./check.ts";
import { HOST_CHECKS } from "./host.ts";
import type { LevelVersion } from "./levels.ts";
import { PRIVILEGE_CHECKS } from "./privileges.ts";
import { PROFILE_CHECKS } from "./profiles.ts";
import { VOLUME_CHECKS } from "./volumes.ts";

function byId(a: Check, b: Check): number {
  return a.id < b.id ? -1 : 1;
}

const CHECKS: readonly Check[] = [...HOST_CHECKS, ...PRIVILEGE_CHECKS, ...PROFILE_CHECKS, ...VOLUME_CHECKS].sort(byId);
const LATEST = Math.max(...CHECKS.flatMap((check) => check.versions.map(([since]) => since)));

/** Undefined before the check's first version. */
function inVersion({ versions }: Check, minor: number): CheckFunction | undefined {
  return versions.findLast(([since]) => since <= minor)?.[1];
}

const known = new Map<string, CheckFunction[]>();

/** Baseline checks come first. */
function checksOf({ level, minor }: LevelVersion): CheckFunction[] {
  const version = Math.min(minor, LATEST), key = `${level}/${version}`;
  let checks = known.get(key);
  if (checks === undefined) {
    const there = CHECKS.filter((check) => inVersion(check, version) !== undefined);
    const restricted = level === "restricted" ? there.filter((check) => check.level === "restricted") : [];
    const overridden = new Set(restricted.flatMap((check) => check.overrides ?? []));
    const baseline = there.filter((check) => check.level === "baseline" && !overridden.has(check.id));
    checks = [...baseline, ...restricted].map((check) => inVersion(check, version)!);
    known.set(key, checks);
  }
  return checks;
}

/** Everything that is wrong; empty when the pod is allowed. */
export function evaluatePod(levelVersion: LevelVersion, pod: PodLike): Violation[] {
  if (levelVersion.level === "privileged") return [];
  return checksOf(levelVersion).flatMap((check) => check(pod) ?? []);
}

/** `privileged (container "c" must not …), host namespaces (hostPID=true)` */
export function describe(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => detail === "" ? reason : `${reason} (${detail})`).join(", ");
}
