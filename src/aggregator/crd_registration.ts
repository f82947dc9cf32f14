// An APIService for every group version that a CustomResourceDefinition serves, made and removed as these come and go.
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import type { APIService } from "../facts/generated/types.ts";
import type { CrdHandler } from "../apiextensions/crd_informer.ts";
import { controllerContext, follow } from "../controllers/informer.ts";
import { WorkQueue } from "../controllers/work_queue.ts";
import type { ServedResource } from "../registry/resource.ts";
import type { GroupVersion, KubeObject } from "../machinery/types.ts";
import type { Item } from "../storage/interface.ts";

const NAME = "crd-registration";
const MANAGED = "kube-aggregator.kubernetes.io/automanaged";
/** As long as somebody wants it. */
const CONTINUOUSLY = "true";
/** Behind every built-in group; versions of one group are ordered by their names. */
const PRIORITIES = { groupPriorityMinimum: 1000, versionPriority: 100 };

export interface CrdRegistrationOptions {
  apiServices: ServedResource;
  create(object: KubeObject): Promise<unknown>;
  update(object: KubeObject): Promise<unknown>;
  delete(name: string): Promise<unknown>;
  /** Work that failed and will be tried again. */
  onError(name: string, error: unknown): void;
}

export class CrdRegistration implements CrdHandler {
  readonly #options: CrdRegistrationOptions;
  /** The group versions of each CustomResourceDefinition, by its name. */
  readonly #served = new Map<string, readonly GroupVersion[]>();
  /** The definitions that serve each group version, by the name of its APIService. */
  readonly #wanted = new Map<string, { gv: GroupVersion; by: Set<string> }>();
  readonly #present = new Map<string, Item>();
  #queue: WorkQueue | undefined;

  constructor(options: CrdRegistrationOptions) {
    this.#options = options;
  }

  changed({ metadata, spec }: CustomResourceDefinition): void {
    const group = spec?.group ?? "", versions = spec?.versions?.filter(({ served }) => served) ?? [];
    this.#set(metadata.name!, versions.map(({ name }) => ({ group, version: name! })));
  }

  deleted(name: string): void {
    this.#set(name, []);
  }

  /** @param synced resolves when every CustomResourceDefinition that was there at the start has been told of */
  async start(synced: Promise<void>, signal: AbortSignal): Promise<void> {
    const { apiServices, onError } = this.#options;
    await follow(apiServices, controllerContext(NAME, signal), {
      changed: (item) => {
        this.#present.set(nameOf(item), item);
        this.#queue?.add(nameOf(item));
      },
      deleted: (item) => {
        this.#present.delete(nameOf(item));
        this.#queue?.add(nameOf(item));
      },
    });
    await synced;
    this.#queue = new WorkQueue({ workers: 4, process: (name) => this.#sync(name), onError }, signal);
    for (const name of new Set([...this.#wanted.keys(), ...this.#present.keys()])) this.#queue.add(name);
  }

  #set(crd: string, served: readonly GroupVersion[]): void {
    const before = this.#served.get(crd) ?? [];
    if (served.length === 0) this.#served.delete(crd);
    else this.#served.set(crd, served);
    for (const gv of before) this.#wanted.get(serviceName(gv))?.by.delete(crd);
    for (const gv of served) {
      const name = serviceName(gv), wanted = this.#wanted.get(name);
      if (wanted === undefined) this.#wanted.set(name, { gv, by: new Set([crd]) });
      else wanted.by.add(crd);
    }
    for (const name of new Set([...before, ...served].map(serviceName))) {
      if (this.#wanted.get(name)?.by.size === 0) this.#wanted.delete(name);
      this.#queue?.add(name);
    }
  }

  async #sync(name: string): Promise<void> {
    const wanted = this.#wanted.get(name), present = this.#present.get(name), managed = present?.labels[MANAGED];
    if (wanted === undefined) {
      if (managed === CONTINUOUSLY) await this.#options.delete(name);
      return;
    }
    const spec = { ...wanted.gv, ...PRIORITIES };
    if (present === undefined) {
      await this.#options.create({
        kind: "APIService",
        apiVersion: "apiregistration.k8s.io/v1",
        metadata: { name, labels: { [MANAGED]: CONTINUOUSLY } },
        spec,
      });
      return;
    }
    // One that somebody else looks after, or that is the server's own, stays as it is.
    if (managed !== CONTINUOUSLY) return;
    const object = present.object() as KubeObject & APIService;
    if (isSame(object.spec, spec)) return;
    await this.#options.update({ ...object, spec });
  }
}

function nameOf(item: Item): string {
  return item.fields["metadata.name"];
}

function serviceName({ group, version }: GroupVersion): string {
  return `${version}.${group}`;
}

function isSame(spec: APIService["spec"], wanted: GroupVersion & typeof PRIORITIES): boolean {
  return spec !== undefined && spec.service === undefined &&
    (Object.keys(wanted) as (keyof typeof wanted)[]).every((member) => spec[member] === wanted[member]);
}
