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
  looksAt(attributes: AdmissionAttributes): boolean;
  run(attributes: AdmissionAttributes): void | Promise<void>;
  record: Recorder;
}

/** Tells how long something took. */
interface Recorder {
  /** From `start`, in milliseconds of performance.now(), until now, which it gives back. */
  took(operation: AdmissionOperation, start: number, rejected: boolean): number;
  /** Nothing was done: the clock is not even asked, for so it is with most plugins. */
  passed(operation: AdmissionOperation): void;
}

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
      looksAt: (attributes) => plugin.looksAt?.(attributes) ?? true,
      run: (attributes) => plugin[type]!(attributes),
      record: recorder(type, observer && ((outcome) => observer.plugin(plugin.name, outcome))),
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
): Recorder {
  if (observerOf === undefined) return { took: (_operation, start) => start, passed() {} };
  const admitted: Partial<Record<AdmissionOperation, ObserveSeconds>> = {}, refused: typeof admitted = {};
  const observer = (operation: AdmissionOperation, rejected: boolean) =>
    (rejected ? refused : admitted)[operation] ??= observerOf({ operation, type, rejected });
  return {
    took(operation, start, rejected) {
      const end = performance.now();
      observer(operation, rejected)((end - start) / 1000);
      return end;
    },
    passed: (operation) => observer(operation, false)(0),
  };
}

/** Runs something that is told when it began, and records how long it took. */
function timed(
  { operation }: AdmissionAttributes,
  record: Recorder,
  run: (start: number) => void | Promise<void>,
): void | Promise<void> {
  const start = performance.now();
  const refuse = (error: unknown): never => {
    record.took(operation, start, true);
    throw error;
  };
  try {
    const pending = run(start);
    if (pending !== undefined) return pending.then(() => void record.took(operation, start, false), refuse);
  } catch (error) {
    refuse(error);
  }
  record.took(operation, start, false);
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
    const part = parts[i];
    if (!part.looksAt(attributes)) {
      part.record.passed(operation);
      continue;
    }
    let pending: void | Promise<void>;
    try {
      pending = part.run(attributes);
    } catch (error) {
      part.record.took(operation, start, true);
      throw error;
    }
    if (pending !== undefined) return runRest(parts, attributes, { start, at: i, pending });
    start = part.record.took(operation, start, false);
  }
}

/** Waits for the plugin at `at`, then for those behind it. */
async function runRest(
  parts: readonly Part[],
  attributes: AdmissionAttributes,
  { start, at, pending }: { start: number; at: number; pending: Promise<void> },
): Promise<void> {
  const { operation } = attributes, { record } = parts[at];
  try {
    await pending;
  } catch (error) {
    record.took(operation, start, true);
    throw error;
  }
  await runParts(parts, attributes, record.took(operation, start, false), at + 1);
}
