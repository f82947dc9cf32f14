// The process's metrics: recorded through one face, kept and written by prom-client.
import { type MetricDefinition, type MetricName, METRICS } from "./definitions.ts";

export type { MetricName };

export type Labels = Readonly<Record<string, string>>;

/** A value that is asked for at scrape time. */
export type Collector = () => void | Promise<void>;

export interface Metrics {
  /** Counters and gauges: adds `by` (1 unless given). */
  add(name: MetricName, labels: Labels, by?: number): void;
  /** Gauges. */
  set(name: MetricName, labels: Labels, value: number): void;
  /** Histograms. */
  observe(name: MetricName, labels: Labels, value: number): void;
  /** Runs before each scrape, to set gauges that are not kept up all the time. */
  onCollect(collector: Collector): void;
  /** The text format of Prometheus. */
  text(): Promise<string>;
}

interface Recorder {
  inc(labels: Labels, by: number): void;
  set(labels: Labels, value: number): void;
  observe(labels: Labels, value: number): void;
}

/**
 * prom-client takes 40 ms to load, which start-up does not wait for: what is recorded before it is there is kept and
 * replayed.
 */
export function createMetrics(): Metrics {
  let early: (() => void)[] | undefined = [];
  const recorders = new Map<MetricName, Recorder>();
  const collectors: Collector[] = [];
  let loading: Promise<{ metrics(): Promise<string> }> | undefined;

  async function load() {
    const prometheus = await import("prom-client");
    const registry = new prometheus.Registry();
    prometheus.collectDefaultMetrics({ register: registry });
    for (const [name, definition] of Object.entries(METRICS) as [MetricName, MetricDefinition][]) {
      recorders.set(name, makeRecorder(prometheus, registry, definition));
    }
    const replay = early ?? [];
    early = undefined;
    for (const record of replay) record();
    return registry;
  }

  function record(name: MetricName, write: (recorder: Recorder) => void): void {
    const recorder = recorders.get(name);
    if (recorder !== undefined) return write(recorder);
    loading ??= new Promise<void>((resolve) => setTimeout(resolve, LOAD_DELAY_MS)).then(load);
    early?.push(() => write(recorders.get(name)!));
  }

  return {
    add: (name, labels, by = 1) => record(name, (r) => r.inc(labels, by)),
    set: (name, labels, value) => record(name, (r) => r.set(labels, value)),
    observe: (name, labels, value) => record(name, (r) => r.observe(labels, value)),
    onCollect: (collector) => void collectors.push(collector),
    async text() {
      loading ??= load();
      const registry = await loading;
      for (const collect of collectors) await collect();
      return await registry.metrics();
    },
  };
}

/** Long enough for the server to become ready first. */
const LOAD_DELAY_MS = 1000;

type Prometheus = typeof import("prom-client");

function makeRecorder(
  prometheus: Prometheus,
  registry: InstanceType<Prometheus["Registry"]>,
  definition: MetricDefinition,
): Recorder {
  const { name, help, labels } = definition;
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  const misuse = (what: string) => () => {
    throw new TypeError(`${name} is a ${definition.type} and cannot ${what}`);
  };
  switch (definition.type) {
    case "counter": {
      const counter = new prometheus.Counter(common);
      return { inc: (l, by) => counter.inc(l, by), set: misuse("be set"), observe: misuse("observe") };
    }
    case "gauge": {
      const gauge = new prometheus.Gauge(common);
      return { inc: (l, by) => gauge.inc(l, by), set: (l, v) => gauge.set(l, v), observe: misuse("observe") };
    }
    case "histogram": {
      const histogram = new prometheus.Histogram({ ...common, buckets: [...(definition.buckets ?? [])] });
      return { inc: misuse("count"), set: misuse("be set"), observe: (l, v) => histogram.observe(l, v) };
    }
  }
}
