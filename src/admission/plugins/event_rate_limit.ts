// EventRateLimit: no more events than the server, a namespace, a user or a source with its object may have in a time.
import { AggregateFailure } from "../../machinery/aggregate_error.ts";
import { statusError } from "../../machinery/errors.ts";
import { aggregate, type FieldError } from "../../machinery/field_error.ts";
import { collect } from "../../machinery/validation/mod.ts";
import { readConfiguration } from "../configuration.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { on } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

const KEYS: Readonly<Record<string, (attributes: AdmissionAttributes) => string>> = {
  Server: () => "",
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: ({ object }) => {
    const source = object?.source ?? {}, about = object?.involvedObject ?? {};
    return [source.component, source.host, about.kind, about.namespace, about.name, about.uid, about.apiVersion]
      .map((part) => part ?? "").join("");
  },
};

interface Limit {
  type: string;
  /** Events a second. */
  qps: number;
  burst: number;
  /** Keys that are remembered; the longest unused one is forgotten first. */
  cacheSize?: number;
}

const DEFAULT_CACHE_SIZE = 4096;

/** Tokens come back at `qps` a second, up to `burst`; every event takes one. */
class TokenBucket {
  #tokens: number;
  #at = performance.now();

  constructor(private readonly qps: number, private readonly burst: number) {
    this.#tokens = burst;
  }

  take(): boolean {
    const now = performance.now();
    this.#tokens = Math.min(this.burst, this.#tokens + (now - this.#at) / 1000 * this.qps);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}

class Enforcer {
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(private readonly limit: Limit) {}

  /** The error when there have been too many. */
  accept(attributes: AdmissionAttributes): Error | undefined {
    const { type, qps, burst, cacheSize } = this.limit;
    const key = KEYS[type](attributes);
    const bucket = this.#buckets.get(key) ?? new TokenBucket(qps, burst);
    // The map's order is that of the last use.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > (cacheSize || DEFAULT_CACHE_SIZE)) {
      this.#buckets.delete(this.#buckets.keys().next().value!);
    }
    return bucket.take() ? undefined : new Error(`limit reached on type ${type} for key ${key}`);
  }
}

function validateLimits(limits: readonly Limit[]): FieldError[] {
  return collect((root) => {
    const at = root.child("limits");
    if (limits.length === 0) at.invalid([], "must not be empty");
    limits.forEach((limit, i) => {
      const field = at.index(i);
      if (!Object.hasOwn(KEYS, limit.type)) field.child("type").notSupported(limit.type ?? "", Object.keys(KEYS));
      for (const name of ["burst", "qps"] as const) {
        if (!((limit[name] ?? 0) > 0)) field.child(name).invalid(limit[name] ?? 0, "must be positive");
      }
      if (limit.type !== "Server" && (limit.cacheSize ?? 0) < 0) {
        field.child("cacheSize").invalid(limit.cacheSize, "must not be negative");
      }
    });
  });
}

export function eventRateLimit({ configuration }: PluginContext): AdmissionPlugin {
  const { limits = [] } = readConfiguration<{ limits?: Limit[] }>(configuration, {
    kinds: { "eventratelimit.admission.k8s.io/v1alpha1": "Configuration" },
    fields: ["limits"],
  }) ?? {};
  const errors = configuration === undefined ? [] : validateLimits(limits);
  if (errors.length > 0) throw new Error(aggregate(errors));
  const enforcers = limits.map((limit) => new Enforcer(limit));
  return {
    name: "EventRateLimit",
    handles: on("CREATE", "UPDATE"),
    validate(attributes) {
      const { kind, dryRun } = attributes;
      if (kind.kind !== "Event" || kind.group !== "" || dryRun) return;
      const refused = enforcers.flatMap((enforcer) => enforcer.accept(attributes) ?? []);
      if (refused.length === 0) return;
      const { message } = new AggregateFailure(refused);
      throw statusError(429, "TooManyRequests", `Too many requests: ${message}`);
    },
  };
}
