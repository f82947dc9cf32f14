// What requests use is written into the quotas before the objects are made, so that no race makes one too many. Requests
// of a namespace that come while others are being checked are checked together and cost one write.
import { hasReason, internalError } from "../../../machinery/errors.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import type { AdmissionAttributes } from "../../interface.ts";
import type { PluginContext } from "../context.ts";
import { checkRequest, type LimitedResource, type RunningQuota, runningQuota } from "./check.ts";
import type { Evaluator } from "./evaluator.ts";
import { areEqual } from "./resource_lists.ts";

interface Waiting {
  attributes: AdmissionAttributes;
  evaluator: Evaluator;
  settled: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/** How often a quota that somebody else changed meanwhile is read anew. */
const RETRIES = 3;
/** How long a request waits for its turn. */
const TIMEOUT_MS = 10_000;

export class Reservations {
  readonly #context: PluginContext;
  readonly #limited: readonly LimitedResource[];
  /** Requests that wait, by namespace; a namespace that is here is being worked at. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(context: PluginContext, limited: readonly LimitedResource[]) {
    this.#context = context;
    this.#limited = limited;
  }

  quotasOf(namespace: string): KubeObject[] | Promise<KubeObject[]> {
    return this.#context.lookup.list("", "resourcequotas", namespace);
  }

  /** Resolves once the use is written. Throws a refusal when it is too much. */
  async reserve(attributes: AdmissionAttributes, evaluator: Evaluator): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const request: Waiting = {
      attributes,
      evaluator,
      settled: false,
      resolve: () => {
        request.settled = true;
        resolve();
      },
      reject: (error) => {
        request.settled = true;
        reject(error);
      },
    };
    const timer = setTimeout(() => request.reject(internalError("resource quota evaluation timed out")), TIMEOUT_MS);
    this.#add(attributes.namespace, request);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #add(namespace: string, request: Waiting): void {
    const waiting = this.#waiting.get(namespace);
    if (waiting !== undefined) {
      waiting.push(request);
      return;
    }
    this.#waiting.set(namespace, [request]);
    void this.#work(namespace);
  }

  async #work(namespace: string): Promise<void> {
    while (true) {
      const batch = this.#waiting.get(namespace)!;
      if (batch.length === 0) break;
      this.#waiting.set(namespace, []);
      try {
        await this.#check(batch, await this.quotasOf(namespace), RETRIES);
      } catch (e) {
        for (const request of batch) request.reject(e);
      }
    }
    this.#waiting.delete(namespace);
  }

  async #check(batch: readonly Waiting[], quotas: readonly KubeObject[], retries: number): Promise<void> {
    const before = quotas.map(runningQuota);
    let running: readonly RunningQuota[] = before;
    const charged: Waiting[] = [];
    for (const request of batch) {
      if (request.settled) continue;
      try {
        const after = checkRequest(running, { ...request, limited: this.#limited });
        if (request.attributes.dryRun || after === running) {
          request.resolve();
          continue;
        }
        running = after;
        charged.push(request);
      } catch (e) {
        request.reject(e);
      }
    }
    const changed = running.filter((quota, i) => !areEqual(quota.used, before[i].used));
    const failed = await this.#write(changed);
    if (failed.size === 0) {
      for (const request of charged) request.resolve();
      return;
    }
    const [error] = failed.values();
    if (retries === 0) throw error;
    // The other quotas have been charged for these requests already.
    const anew = await this.quotasOf(batch[0].attributes.namespace);
    await this.#check(charged, anew.filter(({ metadata }) => failed.has(metadata.name!)), retries - 1);
  }

  /** Names of quotas that could not be written, with why. */
  async #write(quotas: readonly RunningQuota[]): Promise<Map<string, unknown>> {
    const failed = new Map<string, unknown>();
    await Promise.all(quotas.map(async ({ quota, used }) => {
      const { name = "", namespace } = quota.metadata;
      const path = `/api/v1/namespaces/${namespace}/resourcequotas/${name}/status`;
      try {
        await this.#context.client.update(path, { ...quota, status: { ...quota.status, used } });
      } catch (e) {
        // A quota that is gone limits nothing any more.
        if (!hasReason(e, "NotFound")) failed.set(name, e);
      }
    }));
    return failed;
  }
}
