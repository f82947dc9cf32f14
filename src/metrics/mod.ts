// The process's metrics: recorded through one face; prom-client adds what the process itself uses.
import { type MetricDefinition, type MetricName, METRICS } from "./definitions.ts";
import { type Labels, Series } from "./series.ts";

export type { Labels, MetricName };

/** A value that is asked for at scrape time. */
export type Collector = () => void | Promise<void>;

export interface Metrics {
  /** Counters and gauges: adds `by` (1 unless given). Throws a TypeError for a histogram. */
  add(name: MetricName, labels: Labels, by?: number): void;
  /** The same for one that is added to often: with its labels looked up once. There from now on, if only as 0. */
  adder(name: MetricName, labels: Labels): (by?: number) => void;
  /** Gauges. Throws a TypeError for others. */
  set(name: MetricName, labels: Labels, value: number): void;
  /** Gauges: forgets every value. Throws a TypeError for others. */
  clear(name: MetricName): void;
  /** Histograms. Throws a TypeError for others. */
  observe(name: MetricName, labels: Labels, value: number): void;
  /** The same for one that is observed often: with its labels looked up once. */
  observer(name: MetricName, labels: Labels): (value: number) => void;
  /** Forgets a value whose labels say what no longer holds. */
  remove(name: MetricName, labels: Labels): void;
  /** Runs before each scrape, to set gauges that are not kept up all the time. */
  onCollect(collector: Collector): void;
  /** The text format of Prometheus. */
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const all = new Map<MetricName, Series>();
  const collectors: Collector[] = [];
  let ofProcess: Promise<{ metrics(): Promise<string> }> | undefined;

  /** The values of a metric that is one of the types. */
  function series(name: MetricName, ...types: MetricDefinition["type"][]): Series {
    const definition: MetricDefinition = METRICS[name];
    if (!types.includes(definition.type)) throw new TypeError(`${definition.name} is a ${definition.type}`);
    let found = all.get(name);
    if (found === undefined) all.set(name, found = new Series(definition));
    return found;
  }

  return {
    add: (name, labels, by = 1) => series(name, "counter", "gauge").add(labels, by),
    adder: (name, labels) => series(name, "counter", "gauge").adder(labels),
    set: (name, labels, value) => series(name, "gauge").set(labels, value),
    clear: (name) => series(name, "gauge").clear(),
    observe: (name, labels, value) => series(name, "histogram").observer(labels)(value),
    observer: (name, labels) => series(name, "histogram").observer(labels),
    remove: (name, labels) => all.get(name)?.remove(labels),
    onCollect: (collector) => void collectors.push(collector),
    async text() {
      for (const collect of collectors) await collect();
      const own = [...all.values()].map((series) => series.text()).join("");
      return own + await (await (ofProcess ??= processMetrics())).metrics();
    },
  };
}

/** prom-client takes 40 ms to load: only who scrapes waits for it. */
async function processMetrics() {
  const { collectDefaultMetrics, Registry } = await import("prom-client");
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}
