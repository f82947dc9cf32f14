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

/** What one plugin does in a step. */
interface Part {
  run(attributes: AdmissionAttributes): void | Promise<void>;
  took: Took;
}

/** Records that something took from `start`, in milliseconds of performance.now(), until now, which it gives back. */
type Took = (operation: AdmissionOperation, start: number, rejected: boolean) => number;

/** Plugins run one after the other, in their order; the first that throws ends it. */
export function createAdmissionChain(
  plugins: readonly AdmissionPlugin[],
  observer?: AdmissionObserver,
): AdmissionChain {
  const admitting = byOperation(plugins, "admit", observer);
  const validating = byOperation(plugins, "validate", observer);
  const committing = plugins.filter((plugin) => plugin.commit !== undefined);
  const step = observer && ((outcome: AdmissionOutcome) => observer.step(outcome));
  const admitted = recorder("admit", step), validated = recorder("validate", step);
  return {
    handles: (operation) => admitting[operation].length > 0 || validating[operation].length > 0,
    admit: (attributes) =>
      timed(attributes, admitted, (start) => runTwice(admitting[attributes.operation], attributes, start)),
    validate: (attributes) =>
      timed(attributes, validated, (start) => runParts(validating[attributes.operation], attributes, start)),
    commit: (attributes) => committing.forEach((plugin) => plugin.commit!(attributes)),
  };
}

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

function byOperation(
  plugins: readonly AdmissionPlugin[],
  type: "admit" | "validate",
  observer: AdmissionObserver | undefined,
): Record<AdmissionOperation, Part[]> {
  const parts: Record<AdmissionOperation, Part[]> = { CREATE: [], UPDATE: [], DELETE: [], CONNECT: [] };
  for (const plugin of plugins) {
    if (plugin[type] === undefined) continue;
    const part: Part = {
      run: (attributes) => plugin.looksAt?.(attributes) === false ? undefined : plugin[type]!(attributes),
      took: recorder(type, observer && ((outcome) => observer.plugin(plugin.name, outcome))),
    };
    for (const operation of OPERATIONS) {
      if (plugin.handles(operation)) parts[operation].push(part);
    }
  }
  return parts;
}

function recorder(
  type: "admit" | "validate",
  observerOf: ((outcome: AdmissionOutcome) => ObserveSeconds) | undefined,
): Took {
  if (observerOf === undefined) return (_operation, start) => start;
  const admitted: Partial<Record<AdmissionOperation, ObserveSeconds>> = {}, refused: typeof admitted = {};
  return (operation, start, rejected) => {
    const end = performance.now();
    const observe = (rejected ? refused : admitted)[operation] ??= observerOf({ operation, type, rejected });
    observe((end - start) / 1000);
    return end;
  };
}

/** Runs something that is told when it began, and records how long it took. */
function timed(
  { operation }: AdmissionAttributes,
  took: Took,
  run: (start: number) => void | Promise<void>,
): void | Promise<void> {
  const start = performance.now();
  const refuse = (error: unknown): never => {
    took(operation, start, true);
    throw error;
  };
  try {
    const pending = run(start);
    if (pending !== undefined) return pending.then(() => void took(operation, start, false), refuse);
  } catch (error) {
    refuse(error);
  }
  took(operation, start, false);
}

/** Once more when a plugin that calls out changed the object: those before it have not seen it so. */
function runTwice(parts: readonly Part[], attributes: AdmissionAttributes, start: number): void | Promise<void> {
  const pending = runParts(parts, attributes, start);
  return pending === undefined ? runAgain(parts, attributes) : pending.then(() => runAgain(parts, attributes));
}

function runAgain(parts: readonly Part[], attributes: AdmissionAttributes): void | Promise<void> {
  const { reinvocation } = attributes;
  if (!reinvocation.shouldReinvoke) return;
  reinvocation.isReinvoke = true;
  return runParts(parts, attributes, performance.now());
}

/**
 * Goes on without a promise as long as no plugin needs one: most look at memory only. The end of one is the start of the
 * next, so that the clock is asked once for each.
 */
function runParts(
  parts: readonly Part[],
  attributes: AdmissionAttributes,
  start: number,
  from = 0,
): void | Promise<void> {
  const { operation } = attributes;
  for (let i = from; i < parts.length; i++) {
    const { run, took } = parts[i];
    let pending: void | Promise<void>;
    try {
      pending = run(attributes);
    } catch (error) {
      took(operation, start, true);
      throw error;
    }
    if (pending !== undefined) return runRest(parts, attributes, { start, at: i, pending });
    start = took(operation, start, false);
  }
}

/** Waits for the plugin at `at`, then for those behind it. */
async function runRest(
  parts: readonly Part[],
  attributes: AdmissionAttributes,
  { start, at, pending }: { start: number; at: number; pending: Promise<void> },
): Promise<void> {
  const { operation } = attributes, { took } = parts[at];
  try {
    await pending;
  } catch (error) {
    took(operation, start, true);
    throw error;
  }
  await runParts(parts, attributes, took(operation, start, false), at + 1);
}
