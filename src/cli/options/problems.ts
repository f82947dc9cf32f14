// How options say what is wrong with them: every text names the flag and its value.
import type { OptionFiles } from "../flags/files.ts";

export function problem(flag: string, value: unknown, why: string): string {
  return `--${flag}=${Array.isArray(value) ? value.join(",") : value}: ${why}`;
}

/** A file that a flag names. */
export function fileTrouble(flag: string, file: string, error: unknown): string {
  return problem(flag, file, (error as Error).message);
}

/** Complains about numbers below zero. */
export function notNegative<O>(options: O, names: readonly (keyof O & string)[]): string[] {
  return names.filter((name) => (options[name] as number) < 0)
    .map((name) => problem(name, options[name], "must not be negative"));
}

export function oneOf(flag: string, value: string, allowed: readonly string[]): string[] {
  return allowed.includes(value) ? [] : [problem(flag, value, `must be one of ${allowed.join(", ")}`)];
}

export function portInRange(flag: string, value: number, first: number): string[] {
  if (value >= first && value <= 65535) return [];
  return [problem(flag, value, `must be between ${first} and 65535, inclusive`)];
}

/** A kubeconfig that a flag names; "" is none. */
export async function kubeconfigTrouble(flag: string, file: string, files: OptionFiles): Promise<string[]> {
  if (file === "") return [];
  const { readKubeconfig } = await import("../../client/kubeconfig.ts");
  try {
    await readKubeconfig(file, (name) => files.read(name));
    return [];
  } catch (e) {
    return [fileTrouble(flag, file, e)];
  }
}
