// A CustomResourceDefinition that is served: all of its versions over one storage. What changes in it is made anew, what
// does not stays with its watches.
import type { CustomResourceDefinition } from "../apis/apiextensions/types.ts";
import type { ServedResource } from "../registry/resource.ts";
import { encode } from "../machinery/codec/encode.ts";
import { unknownError } from "../machinery/errors.ts";
import type { PublishedDefinition } from "../machinery/openapi/source.ts";
import { structuralRoot } from "../machinery/schema/structural.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { NamespaceGate } from "../registry/namespace_gate.ts";
import type { Store } from "../registry/store.ts";
import type { Interface } from "../storage/interface.ts";
import type { StorageFactory } from "../storage/mod.ts";
import type { Converter } from "./conversion/mod.ts";
import type { Definition } from "./definition.ts";
import { ServedVersion, type Siblings } from "./served_version.ts";
import { CustomVersion } from "./version.ts";

export interface CustomResourceOptions {
  storage: StorageFactory;
  garbageCollection: boolean;
  deleteCollectionWorkers: number;
  namespaceGate?: NamespaceGate;
  /** A CustomResourceDefinition as it is now, parsed. */
  read(name: string): CustomResourceDefinition | undefined;
  converterOf(crd: CustomResourceDefinition): Converter;
}

const ANY_CUSTOM = structuralRoot(undefined, "");

export class CustomResource implements Siblings {
  readonly prefix: string;
  readonly garbageCollection: boolean;
  readonly deleteCollectionWorkers: number;
  readonly namespaceGate: NamespaceGate | undefined;
  readonly #options: CustomResourceOptions;
  readonly #since: number;
  readonly #versions = new Map<string, ServedVersion>();
  #definition: Definition;
  #base: Interface | undefined;
  #converter: Converter | undefined;

  /** @param since the revision from which on it is served */
  constructor(options: CustomResourceOptions, definition: Definition, since: number) {
    this.#options = options;
    this.#definition = definition;
    this.#since = since;
    this.prefix = `/registry/${definition.group}/${definition.plural}`;
    this.garbageCollection = options.garbageCollection;
    this.deleteCollectionWorkers = options.deleteCollectionWorkers;
    this.namespaceGate = options.namespaceGate;
    this.#makeVersions();
  }

  get definition(): Definition {
    return this.#definition;
  }

  update(definition: Definition): void {
    this.#definition = definition;
    this.#makeVersions();
  }

  /** Ends all watches and forgets the objects. */
  close(): void {
    for (const version of this.#versions.values()) version.close();
    this.#options.storage.release(`${this.prefix}/`);
  }

  /** Undefined when the version is not served. */
  lookup(version: string): ServedResource | undefined {
    const served = this.#definition.isServed ? this.#versions.get(version) : undefined;
    return served?.version.digest.served ? served.resource : undefined;
  }

  /** What discovery tells of, the storage version first: who needs but one takes that of which nothing is converted. */
  *published(): Iterable<ServedResource> {
    const { isEstablished, storageVersion } = this.#definition;
    if (!isEstablished) return;
    const stored = this.lookup(storageVersion);
    if (stored !== undefined) yield stored;
    for (const { version, resource } of this.#versions.values()) {
      if (version.digest.served && version.digest.name !== storageVersion) yield resource;
    }
  }

  /** What OpenAPI tells of. */
  publishedDefinitions(): PublishedDefinition[] {
    return Array.from(this.published(), ({ version }) => this.#versions.get(version)!.published);
  }

  /** All objects, whether any version is served or not. */
  get instances(): Store {
    return this.#versions.get(this.#definition.storageVersion)!.store;
  }

  get base(): Interface {
    return this.#base ??= this.#options.storage.forResource({
      prefix: `${this.prefix}/`,
      resource: { group: this.#definition.group, resource: this.#definition.plural },
      since: this.#since,
      encode: (object) => encode(ANY_CUSTOM, object),
      attributesOf({ metadata: { name = "", namespace = "", labels = {} } }) {
        return { labels, fields: { "metadata.name": name, "metadata.namespace": namespace } };
      },
    }).storage;
  }

  get convertsLate(): boolean {
    return this.#converting().isAsync;
  }

  version(apiVersion: string): ServedVersion | undefined {
    const [group, version] = apiVersion.split("/");
    return group === this.#definition.group ? this.#versions.get(version) : undefined;
  }

  versions(): Iterable<ServedVersion> {
    return this.#versions.values();
  }

  convert(objects: readonly KubeObject[], to: CustomVersion): KubeObject[] | Promise<KubeObject[]> {
    const foreign = objects.filter(({ apiVersion }) => apiVersion !== to.apiVersion);
    if (foreign.length === 0) return [...objects];
    for (const { apiVersion } of foreign) this.#known(apiVersion);
    const merge = (converted: KubeObject[]) => {
      const waiting = [...converted];
      return objects.map((object) => object.apiVersion === to.apiVersion ? object : waiting.shift()!);
    };
    const converted = this.#converting().convert(foreign, to.apiVersion);
    return converted instanceof Promise ? converted.then(merge) : merge(converted);
  }

  fromStored(objects: readonly KubeObject[], to: CustomVersion): KubeObject[] | Promise<KubeObject[]> {
    const completed = objects.map((object) => {
      const { version } = this.#known(object.apiVersion);
      const known = version.prune(object, { isStored: true });
      version.setDefaults(known);
      return known;
    });
    if (completed.every(({ apiVersion }) => apiVersion === to.apiVersion)) return completed;
    const prune = (converted: KubeObject[]) => converted.map((object) => to.prune(object));
    const converted = this.convert(completed, to);
    return converted instanceof Promise ? converted.then(prune) : prune(converted);
  }

  #known(apiVersion: string): ServedVersion {
    const served = this.version(apiVersion);
    if (served !== undefined) return served;
    throw unknownError(`request to convert CR from an invalid group/version: ${apiVersion}`);
  }

  #converting(): Converter {
    return this.#converter ??= this.#options.converterOf(this.#read());
  }

  #read(): CustomResourceDefinition {
    const crd = this.#options.read(this.#definition.name);
    if (crd === undefined) throw unknownError(`${this.#definition.name} is gone`);
    return crd;
  }

  /** Versions that are as they were stay; the others end, and new ones take their places. */
  #makeVersions(): void {
    const definition = this.#definition, gone = new Map(this.#versions);
    this.#versions.clear();
    let changed = false;
    for (const digest of definition.versions) {
      const known = gone.get(digest.name);
      if (known?.version.digest.fingerprint === digest.fingerprint) {
        gone.delete(digest.name);
        this.#versions.set(digest.name, known);
        continue;
      }
      changed = true;
      const read = () => this.#read().spec!.versions!.find(({ name }) => name === digest.name)!;
      this.#versions.set(digest.name, new ServedVersion(new CustomVersion(definition, digest, read), this));
    }
    if (changed) this.#converter = undefined;
    for (const version of gone.values()) version.close();
  }
}
