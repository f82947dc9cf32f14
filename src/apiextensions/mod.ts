// Custom resources: what the CustomResourceDefinitions add to the API, as they come, change and go.
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import type { ResourceProvider, ServedResource } from "../registry/resource.ts";
import type { PublishedDefinition } from "../machinery/openapi/source.ts";
import { loadRe2 } from "../machinery/re2.ts";
import type { ResourceStorage } from "../registry/rest.ts";
import type { ResolveService } from "../registry/services/resolve.ts";
import type { NamespaceGate } from "../registry/namespace_gate.ts";
import type { StorageFactory } from "../storage/mod.ts";
import type { CrdHandler, CrdInformer } from "./crd_informer.ts";
import type { CustomResource, CustomResourceOptions } from "./custom_resource.ts";
import { type Definition, digest } from "./definition.ts";

export interface CustomResourcesOptions {
  informer: CrdInformer;
  storage: StorageFactory;
  garbageCollection: boolean;
  deleteCollectionWorkers: number;
  namespaceGate: NamespaceGate;
  /** Where conversion webhooks are that are services. */
  resolveService: ResolveService;
}

type Machinery = Awaited<ReturnType<typeof loadMachinery>>;

/** What serves custom resources is loaded with the first of them. */
async function loadMachinery() {
  const [{ CustomResource }, { converterOf }] = await Promise.all([
    import("./custom_resource.ts"),
    import("./conversion/strategies.ts"),
    loadRe2(),
  ]);
  return { CustomResource, converterOf };
}

/** The resources of all CustomResourceDefinitions. */
export class CustomResources implements ResourceProvider, CrdHandler {
  readonly #options: CustomResourcesOptions;
  readonly #resources = new Map<string, CustomResource>();
  #machinery: Machinery | undefined;
  #loading: Promise<void> | undefined;
  /** Names of those that were heard of while the machinery was loading: all of them parsed would fill the memory. */
  readonly #waiting = new Set<string>();
  #published: readonly PublishedDefinition[] | undefined = [];

  constructor(options: CustomResourcesOptions) {
    this.#options = options;
    options.informer.addHandler(this);
  }

  /** Resolves when everything that was there at the start is served. */
  async ready(): Promise<void> {
    await this.#options.informer.synced;
    await this.#loading;
  }

  changed(crd: CustomResourceDefinition): void {
    if (this.#machinery !== undefined) return this.#take(this.#machinery, crd);
    this.#waiting.add(crd.metadata.name!);
    this.#loading ??= this.#load();
  }

  deleted(name: string): void {
    this.#published = undefined;
    this.#waiting.delete(name);
    this.#resources.get(name)?.close();
    this.#resources.delete(name);
  }

  lookup(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#resources.get(`${resource}.${group}`)?.lookup(version);
  }

  *all(): Iterable<ServedResource> {
    for (const resource of this.#resources.values()) yield* resource.published();
  }

  /** What OpenAPI tells of, by name; the same list as long as nothing changes. */
  definitions(): readonly PublishedDefinition[] {
    if (this.#published === undefined) {
      const names = [...this.#resources.keys()].sort();
      this.#published = names.flatMap((name) => this.#resources.get(name)!.publishedDefinitions());
    }
    return this.#published;
  }

  /** The objects of a CustomResourceDefinition, whether it is served or not; undefined when it cannot have any. */
  instancesOf(crd: CustomResourceDefinition): ResourceStorage | undefined {
    return this.#resources.get(crd.metadata.name!)?.instances;
  }

  async #load(): Promise<void> {
    this.#machinery = await loadMachinery();
    for (const name of this.#waiting) {
      const crd = this.#options.informer.get(name);
      if (crd !== undefined) this.#take(this.#machinery, crd);
    }
    this.#waiting.clear();
  }

  #take(machinery: Machinery, crd: CustomResourceDefinition): void {
    this.#published = undefined;
    const name = crd.metadata.name!;
    let known = this.#resources.get(name);
    if (known !== undefined && known.definition.uid !== crd.metadata.uid) {
      this.deleted(name);
      known = undefined;
    }
    const definition = digest(crd, known?.definition);
    if (definition === undefined) return;
    if (known !== undefined) known.update(definition);
    else if (definition.isServed) this.#add(machinery, definition, Number(crd.metadata.resourceVersion));
  }

  #add({ CustomResource, converterOf }: Machinery, definition: Definition, since: number): void {
    const { informer, resolveService, ...options } = this.#options;
    const made: CustomResourceOptions = {
      ...options,
      read: (name) => informer.get(name),
      converterOf: (crd) => converterOf(crd, resolveService),
    };
    this.#resources.set(definition.name, new CustomResource(made, definition, since));
  }
}
