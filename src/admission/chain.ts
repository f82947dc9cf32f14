// The chain of admission plugins: mutation in the order given, then, behind the registry's validation, the checks.
import type { AdmissionAttributes, AdmissionChain, AdmissionOperation, AdmissionPlugin } from "./interface.ts";

/** Takes how long something took. */
type ObserveSeconds = (seconds: number) => void;

/**
 * Who wants to know how long the plugins, or all of them together, took and whether they refused; asked once for each
 * outcome, since every write has dozens of them.
 */
export interface AdmissionObserver {
  plugin(name: string, outcome: AdmissionOutcome): ObserveSeconds;
  step(outcome: AdmissionOutcome): ObserveSeconds;
}

export interface AdmissionOutcome {
  operation: AdmissionOperation;
  type: "admit" | "validate";
  rejected: boolean;
}

type Step = (attributes: AdmissionAttributes) => void | Promise<void>;

/** Plugins run one after the other, in their order; the first that throws ends it. */
export function createAdmissionChain(
  plugins: readonly AdmissionPlugin[],
  observer?: AdmissionObserver,
): AdmissionChain {
  const admitting = byOperation(plugins, "admit", observer);
  const validating = byOperation(plugins, "validate", observer);
  const step = observer && ((outcome: AdmissionOutcome) => observer.step(outcome));
  return {
    handles: (operation) => admitting[operation].length > 0 || validating[operation].length > 0,
    admit: timed((attributes) => runTwice(admitting[attributes.operation], attributes), "admit", step),
    validate: timed((attributes) => runSteps(validating[attributes.operation], attributes), "validate", step),
    commit: (attributes) => plugins.forEach((plugin) => plugin.commit?.(attributes)),
  };
}

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

function byOperation(
  plugins: readonly AdmissionPlugin[],
  type: "admit" | "validate",
  observer: AdmissionObserver | undefined,
): Record<AdmissionOperation, Step[]> {
  const steps: Record<AdmissionOperation, Step[]> = { CREATE: [], UPDATE: [], DELETE: [], CONNECT: [] };
  for (const plugin of plugins) {
    if (plugin[type] === undefined) continue;
    const step = timed(
      (attributes) => plugin[type]!(attributes),
      type,
      observer && ((outcome) => observer.plugin(plugin.name, outcome)),
    );
    for (const operation of OPERATIONS) {
      if (plugin.handles(operation)) steps[operation].push(step);
    }
  }
  return steps;
}

function timed(
  run: Step,
  type: "admit" | "validate",
  observerOf: ((outcome: AdmissionOutcome) => ObserveSeconds) | undefined,
): Step {
  if (observerOf === undefined) return run;
  const admitted: Partial<Record<AdmissionOperation, ObserveSeconds>> = {}, refused: typeof admitted = {};
  const done = (operation: AdmissionOperation, start: number, rejected: boolean) => {
    const observe = (rejected ? refused : admitted)[operation] ??= observerOf({ operation, type, rejected });
    observe((performance.now() - start) / 1000);
  };
  return (attributes) => {
    const start = performance.now(), { operation } = attributes;
    try {
      const result = run(attributes);
      if (result === undefined) return done(operation, start, false);
      return result.then(() => done(operation, start, false), (e) => {
        done(operation, start, true);
        throw e;
      });
    } catch (e) {
      done(operation, start, true);
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
