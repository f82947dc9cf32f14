// What is measured of requests for resources, under kube-apiserver's names and labels.
import type { Labels, Metrics } from "../metrics/mod.ts";
import { APPLY_PATCH } from "./patch_type.ts";
import type { Operation } from "./routing.ts";
import type { Scope } from "./scope.ts";

/** Records an answer that was given so many seconds after its request had come. */
type Recorder = (seconds: number) => void;

const VERBS: Readonly<Record<Operation, string>> = {
  get: "GET",
  list: "LIST",
  watch: "WATCH",
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETE",
  connect: "CONNECT",
  log: "CONNECT",
};

export class RequestMeasures {
  readonly #metrics: Metrics;
  /** By resource or subresource, then by what else tells the labels: to look up each label would take longer. */
  readonly #recorders = new WeakMap<object, Map<string, Recorder>>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** The request is answered; what lasts is counted while it does and recorded at its end. */
  answered(scope: Scope, operation: Operation, response: Response): void {
    const { ended } = scope, verb = verbOf(scope, operation), code = response.status;
    if (ended === undefined) return this.#record(scope, operation, verb, code);
    // Of requests that last, a field selector may name the object, too.
    const open = this.#metrics.adder("longRunning", labelsOf(scope, verb, scopeOf(scope.info)));
    open(1);
    void ended.then(() => {
      open(-1);
      this.#record(scope, operation, verb, code);
    });
  }

  #record(scope: Scope, operation: Operation, verb: string, code: number): void {
    const target = scope.subresource ?? scope.resource,
      where = operation === "create" ? "resource" : scopeOf(scope),
      dryRun = dryRunOf(scope);
    const key = `${verb} ${where} ${code} ${dryRun}`;
    let recorders = this.#recorders.get(target);
    if (recorders === undefined) this.#recorders.set(target, recorders = new Map());
    let record = recorders.get(key);
    if (record === undefined) {
      const labels = { ...labelsOf(scope, verb, where), dry_run: dryRun };
      const count = this.#metrics.adder("requestTotal", { ...labels, code: String(code) });
      const took = this.#metrics.observer("requestDuration", labels);
      recorders.set(key, record = (seconds) => (count(), took(seconds)));
    }
    record((performance.now() - scope.c.get("receivedAt")) / 1000);
  }
}

function verbOf({ info, headers }: Scope, operation: Operation): string {
  if (operation === "list" && info.verb === "watch") return VERBS.watch;
  return operation === "patch" && headers.get("content-type") === APPLY_PATCH ? "APPLY" : VERBS[operation];
}

function labelsOf({ resource, subresource }: Scope, verb: string, scope: string): Labels {
  const { group, version } = resource;
  return {
    verb,
    group,
    version,
    resource: resource.resource,
    subresource: subresource?.name ?? "",
    scope,
    component: "apiserver",
  };
}

/** How much a request is about. */
function scopeOf({ name, namespace }: { name: string; namespace: string }): string {
  if (name !== "") return "resource";
  return namespace !== "" ? "namespace" : "cluster";
}

function dryRunOf(scope: Scope): string {
  if (!scope.search.includes("dryRun")) return "";
  const values = scope.query.get("dryRun") ?? [];
  return values.every((value) => value === "All") ? values.slice(0, 1).join() : "invalid";
}
