// The values of one metric, one for each combination of labels, and how Prometheus reads them. Every request records a
// dozen: prom-client hashes the labels at each, which took a twentieth of a create; here a label combination is one
// look-up by its joined values.
import { goFloat } from "../machinery/go_text.ts";
import type { MetricDefinition } from "./definitions.ts";

export type Labels = Readonly<Record<string, string>>;

/** A value, or what a histogram has counted. */
interface Sample {
  labels: Labels;
  value: number;
  /** Observations up to each upper bound, not summed up; the last is beyond all of them. */
  buckets?: number[];
  /** How many observations there were. */
  count: number;
}

export class Series {
  readonly #definition: MetricDefinition;
  readonly #samples = new Map<string, Sample>();

  constructor(definition: MetricDefinition) {
    this.#definition = definition;
  }

  add(labels: Labels, by: number): void {
    this.#sample(labels).value += by;
  }

  adder(labels: Labels): (by?: number) => void {
    const sample = this.#sample(labels);
    return (by = 1) => void (sample.value += by);
  }

  set(labels: Labels, value: number): void {
    this.#sample(labels).value = value;
  }

  clear(): void {
    this.#samples.clear();
  }

  remove(labels: Labels): void {
    this.#samples.delete(this.#key(labels));
  }

  /** A histogram's: takes the value of one observation after the other. */
  observer(labels: Labels): (value: number) => void {
    const { buckets: bounds = [] } = this.#definition;
    const sample = this.#sample(labels), buckets = sample.buckets ??= new Array(bounds.length + 1).fill(0);
    return (value) => {
      let i = 0;
      while (i < bounds.length && value > bounds[i]) i++;
      buckets[i]++;
      sample.value += value;
      sample.count++;
    };
  }

  #key(labels: Labels): string {
    let key = "";
    for (const name of this.#definition.labels) key += `${labels[name]}\0`;
    return key;
  }

  #sample(labels: Labels): Sample {
    const key = this.#key(labels);
    let sample = this.#samples.get(key);
    if (sample === undefined) this.#samples.set(key, sample = { labels: { ...labels }, value: 0, count: 0 });
    return sample;
  }

  /** In Prometheus' text format (version 0.0.4); empty when nothing was recorded. */
  text(): string {
    const { name, type, help } = this.#definition;
    if (this.#samples.size === 0) return "";
    let text = `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
    for (const sample of this.#samples.values()) {
      text += type === "histogram" ? this.#histogram(sample) : `${name}${this.#labels(sample)} ${sample.value}\n`;
    }
    return text;
  }

  #histogram(sample: Sample): string {
    const { name, buckets: bounds = [] } = this.#definition;
    let text = "", sum = 0;
    sample.buckets!.forEach((count, i) => {
      sum += count;
      text += `${name}_bucket${
        this.#labels(sample, `le="${i < bounds.length ? goFloat(bounds[i]) : "+Inf"}"`)
      } ${sum}\n`;
    });
    const labels = this.#labels(sample);
    return `${text}${name}_sum${labels} ${sample.value}\n${name}_count${labels} ${sample.count}\n`;
  }

  #labels({ labels }: Sample, last?: string): string {
    const pairs = this.#definition.labels.map((name) => `${name}="${escaped(labels[name]).replaceAll('"', '\\"')}"`);
    if (last !== undefined) pairs.push(last);
    return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
  }
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
