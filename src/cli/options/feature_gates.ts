// Feature gates: known names and defaults, and what --feature-gates may say about them.
import facts from "../../facts/features.json" with { type: "json" };
import type { FeatureGates } from "../../server/config.ts";
import { parseGoBool } from "../flags/go_values.ts";
import { problem } from "./problems.ts";

const DEFAULTS: ReadonlyMap<string, boolean> = new Map(facts.feature_gates.map((gate) => [gate.name, gate.default]));

/** Each gate in its default. */
export function defaultFeatureGates(): FeatureGates {
  return {
    enabled(name) {
      const value = DEFAULTS.get(name);
      if (value === undefined) throw new Error(`unknown feature gate ${name}`);
      return value;
    },
  };
}

/** Gates can be set to what they are; anything else is not built. */
export function validateFeatureGates(gates: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(gates).flatMap(([component, pairs]) =>
    component === "kube"
      ? pairs.flatMap(validatePair)
      : [problem("feature-gates", `${component}:${pairs.join(",")}`, `component not registered: ${component}`)]
  );
}

function validatePair(pair: string): string[] {
  const [name, text] = splitOnce(pair, "=");
  const wrong = (why: string) => [problem("feature-gates", pair, why)];
  if (text === undefined) return wrong(`missing bool value for ${name}`);
  let value: boolean;
  try {
    value = parseGoBool(text);
  } catch (e) {
    return wrong(`invalid value of ${name}: ${text}, err: ${(e as Error).message}`);
  }
  const known = DEFAULTS.get(name);
  if (known === undefined) return wrong(`unrecognized feature gate: ${name}`);
  return known === value ? [] : [`not supported yet: --feature-gates=${name}=${value}`];
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text.trim(), undefined] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
