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

/** What one plugin does in a step with one operation. */
interface Part {
  looksAt: ((attributes: AdmissionAttributes) => boolean) | undefined;
  run(attributes: AdmissionAttributes): void | Promise<void>;
  record: Recorder;
}

/** Tells how long something took. */
interface Recorder {
  /** From `start`, in milliseconds of performance.now(), until now, which it gives back. */
  took(start: number, rejected: boolean): number;
  /** Nothing was done: the clock is not even asked, for so it is with most plugins. */
  passed(): void;
}

/** All plugins together. */
interface Step {
  parts: readonly Part[];
  record: Recorder;
}

/** Plugins run one after the other, in their order; the first that throws ends it. */
export function createAdmissionChain(
  plugins: readonly AdmissionPlugin[],
  observer?: AdmissionObserver,
): AdmissionChain {
  const admitting = byOperation(plugins, "admit", observer);
  const validating = byOperation(plugins, "validate", observer);
  const committing = plugins.filter((plugin) => plugin.commit !== undefined);
  return {
    handles: (operation) => admitting[operation].parts.length > 0 || validating[operation].parts.length > 0,
    admit: (attributes) => timed(admitting[attributes.operation], attributes, runTwice),
    validate: (attributes) => timed(validating[attributes.operation], attributes, runParts),
    commit: (attributes) => committing.forEach((plugin) => plugin.commit!(attributes)),
  };
}

function byOperation(
  plugins: readonly AdmissionPlugin[],
  type: "admit" | "validate",
  observer: AdmissionObserver | undefined,
): Record<AdmissionOperation, Step> {
  return {
    CREATE: stepOf(plugins, { operation: "CREATE", type }, observer),
    UPDATE: stepOf(plugins, { operation: "UPDATE", type }, observer),
    DELETE: stepOf(plugins, { operation: "DELETE", type }, observer),
    CONNECT: stepOf(plugins, { operation: "CONNECT", type }, observer),
  };
}

function stepOf(
  plugins: readonly AdmissionPlugin[],
  what: Omit<AdmissionOutcome, "rejected">,
  observer: AdmissionObserver | undefined,
): Step {
  const parts: Part[] = [];
  for (const plugin of plugins) {
    const run = plugin[what.type];
    if (run === undefined || !plugin.handles(what.operation)) continue;
    parts.push({
      looksAt: plugin.looksAt?.bind(plugin),
      run: run.bind(plugin),
      record: recorder(observer && ((rejected) => observer.plugin(plugin.name, { ...what, rejected }))),
    });
  }
  return { parts, record: recorder(observer && ((rejected) => observer.step({ ...what, rejected }))) };
}

function recorder(observerOf: ((rejected: boolean) => ObserveSeconds) | undefined): Recorder {
  if (observerOf === undefined) return { took: (start) => start, passed() {} };
  let done: ObserveSeconds | undefined, refused: ObserveSeconds | undefined;
  return {
    took(start, rejected) {
      const end = performance.now(), observe = rejected ? refused ??= observerOf(true) : done ??= observerOf(false);
      observe((end - start) / 1000);
      return end;
    },
    passed: () => (done ??= observerOf(false))(0),
  };
}

/** Runs a step and records how long it took. */
function timed(
  { parts, record }: Step,
  attributes: AdmissionAttributes,
  run: (parts: readonly Part[], attributes: AdmissionAttributes, start: number) => void | Promise<void>,
): void | Promise<void> {
  const start = performance.now();
  let pending: void | Promise<void>;
  try {
    pending = run(parts, attributes, start);
  } catch (error) {
    record.took(start, true);
    throw error;
  }
  if (pending === undefined) return void record.took(start, false);
  return pending.then(() => void record.took(start, false), (error) => {
    record.took(start, true);
    throw error;
  });
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
  for (let i = from; i < parts.length; i++) {
    const part = parts[i];
    if (part.looksAt !== undefined && !part.looksAt(attributes)) {
      part.record.passed();
      continue;
    }
    let pending: void | Promise<void>;
    try {
      pending = part.run(attributes);
    } catch (error) {
      part.record.took(start, true);
      throw error;
    }
    if (pending !== undefined) return runRest(parts, attributes, { start, at: i, pending });
    start = part.record.took(start, false);
  }
}

/** Waits for the plugin at `at`, then for those behind it. */
async function runRest(
  parts: readonly Part[],
  attributes: AdmissionAttributes,
  { start, at, pending }: { start: number; at: number; pending: Promise<void> },
): Promise<void> {
  const { record } = parts[at];
  try {
    await pending;
  } catch (error) {
    record.took(start, true);
    throw error;
  }
  await runParts(parts, attributes, record.took(start, false), at + 1);
}
