// Follows every CustomResourceDefinition for all who depend on them: the controllers, and whoever serves their objects.
import { parseExactly } from "../machinery/big_integers.ts";
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import { controllerContext, follow } from "../controllers/informer.ts";
import type { ServedResource } from "../registry/resource.ts";

export interface CrdHandler {
  /** As it is now; shared by all handlers, so that nobody may change it. */
  changed(crd: CustomResourceDefinition): void;
  deleted(name: string): void;
}

/** A CRD that is known, as text: thousands of them parsed would fill the memory. */
interface Known {
  revision: number;
  text: string;
}

export class CrdInformer {
  readonly #crds: ServedResource;
  readonly #known = new Map<string, Known>();
  readonly #handlers: CrdHandler[] = [];
  readonly #synced = Promise.withResolvers<void>();
  /** The revision up to which the watch has told everything. */
  #seen = 0;
  /** Resolves when everything that is stored has been seen, or when the server stops. */
  readonly synced: Promise<void> = this.#synced.promise;

  constructor(crds: ServedResource) {
    this.#crds = crds;
  }

  /** To be called in the same turn as {@link start} at the latest: nobody is told of the past. */
  addHandler(handler: CrdHandler): void {
    this.#handlers.push(handler);
  }

  /** Follows until the signal ends. */
  start(signal: AbortSignal): void {
    follow(this.#crds, controllerContext("crd-informer", signal), {
      changed: (item) => {
        this.#seen = Math.max(this.#seen, item.revision);
        this.#changed(item.fields["metadata.name"], item, () => item.object() as CustomResourceDefinition);
      },
      deleted: (item) => {
        this.#seen = Math.max(this.#seen, item.revision);
        const name = item.fields["metadata.name"];
        this.#known.delete(name);
        for (const handler of this.#handlers) handler.deleted(name);
      },
    }).then(this.#synced.resolve);
  }

  /** A fresh copy. */
  get(name: string): CustomResourceDefinition | undefined {
    const known = this.#known.get(name);
    return known && parseExactly(known.text);
  }

  /** Takes note of a CRD that was just written, before the watch tells of it. */
  wrote(crd: CustomResourceDefinition): void {
    const revision = Number(crd.metadata.resourceVersion);
    // The watch was faster, and it may have been deleted since.
    if (revision <= this.#seen) return;
    this.#changed(crd.metadata.name!, { revision, text: JSON.stringify(crd) }, () => crd);
  }

  #changed(name: string, { revision, text }: Known, parsed: () => CustomResourceDefinition): void {
    const before = this.#known.get(name)?.revision ?? 0;
    if (revision < before) return;
    this.#known.set(name, { revision, text });
    if (revision === before) return;
    const crd = parsed();
    for (const handler of this.#handlers) handler.changed(crd);
  }
}
