// The chain of admission plugins: mutation in the order given, then, behind the registry's validation, the checks.
import type { AdmissionAttributes, AdmissionChain, AdmissionOperation, AdmissionPlugin } from "./interface.ts";

/** How long plugins took and whether they refused; the caller turns it into metrics. */
export type AdmissionObserver = (
  plugin: string,
  operation: AdmissionOperation,
  type: "admit" | "validate",
  rejected: boolean,
  seconds: number,
) => void;

type Step = (attributes: AdmissionAttributes) => void | Promise<void>;

/** Plugins run one after the other, in their order; the first that throws ends it. */
export function createAdmissionChain(plugins: readonly AdmissionPlugin[], observe?: AdmissionObserver): AdmissionChain {
  const admitting = byOperation(plugins, "admit", observe);
  const validating = byOperation(plugins, "validate", observe);
  return {
    handles: (operation) => admitting[operation].length > 0 || validating[operation].length > 0,
    admit: (attributes) => runTwice(admitting[attributes.operation], attributes),
    validate: (attributes) => runSteps(validating[attributes.operation], attributes),
    commit: (attributes) => plugins.forEach((plugin) => plugin.commit?.(attributes)),
  };
}

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

function byOperation(
  plugins: readonly AdmissionPlugin[],
  type: "admit" | "validate",
  observe: AdmissionObserver | undefined,
): Record<AdmissionOperation, Step[]> {
  const steps: Record<AdmissionOperation, Step[]> = { CREATE: [], UPDATE: [], DELETE: [], CONNECT: [] };
  for (const plugin of plugins) {
    if (plugin[type] === undefined) continue;
    for (const operation of OPERATIONS) {
      if (plugin.handles(operation)) steps[operation].push(stepOf(plugin, type, observe));
    }
  }
  return steps;
}

function stepOf(plugin: AdmissionPlugin, type: "admit" | "validate", observe: AdmissionObserver | undefined): Step {
  const run: Step = (attributes) => plugin[type]!(attributes);
  if (observe === undefined) return run;
  return (attributes) => {
    const start = performance.now();
    const done = (rejected: boolean) =>
      observe(plugin.name, attributes.operation, type, rejected, (performance.now() - start) / 1000);
    try {
      const result = run(attributes);
      if (result === undefined) return done(false);
      return result.then(() => done(false), (e) => {
        done(true);
        throw e;
      });
    } catch (e) {
      done(true);
      throw e;
    }
  };
}

/** Once more when a plugin that calls out changed the object: those before it have not seen it so. */
function runTwice(steps: readonly Step[], attributes: AdmissionAttributes): void | Promise<void> {
  const pending = runSteps(steps, attributes);
  return pending === undefined ? runAgain(steps, attributes) : pending.then(() => runAgain(steps, attributes));
}

function runAgain(steps: readonly Step[], attributes: AdmissionAttributes): void | Promise<void> {
  const { reinvocation } = attributes;
  if (!reinvocation.shouldReinvoke) return;
  reinvocation.isReinvoke = true;
  return runSteps(steps, attributes);
}

/** Goes on without a promise as long as no step needs one: most plugins look at memory only. */
function runSteps(steps: readonly Step[], attributes: AdmissionAttributes, from = 0): void | Promise<void> {
  for (let i = from; i < steps.length; i++) {
    const pending = steps[i](attributes);
    if (pending !== undefined) return pending.then(() => runSteps(steps, attributes, i + 1));
  }
}
