// One version of a CustomResourceDefinition as a resource that the endpoints serve.
import { builtinKind, kindDefinition } from "../apis/scheme.ts";
import type { ServedKind, ServedResource, ServedSubresource } from "../registry/resource.ts";
import { encode } from "../machinery/codec/encode.ts";
import { badRequestError, forbiddenError, unknownError } from "../machinery/errors.ts";
import { hasDefaults } from "../machinery/codec/structural_defaults.ts";
import type { PublishedDefinition } from "../machinery/openapi/source.ts";
import type { GroupVersionKind, JsonObject, KubeObject } from "../machinery/types.ts";
import type { NamespaceGate } from "../registry/namespace_gate.ts";
import { SCALE, type ScaleForm, ScaleStore } from "../registry/scale.ts";
import { Store } from "../registry/store.ts";
import { SubresourceStore } from "../registry/subresource.ts";
import { DryRunStorage } from "../storage/dry_run.ts";
import type { Interface } from "../storage/interface.ts";
import { columnsOf, SCALE_COLUMNS } from "./columns.ts";
import type { Definition } from "./definition.ts";
import { AccessorError, pathOf, ScaleFields } from "./scale_fields.ts";
import { fieldNames } from "./selectable_fields.ts";
import { VersionedStorage, type Viewpoint } from "./storage.ts";
import { customStatusStrategy, customStrategy } from "./strategy.ts";
import type { CustomVersion } from "./version.ts";

/** What a version needs to know of the resource that it is one of. */
export interface Siblings {
  readonly definition: Definition;
  readonly base: Interface;
  readonly prefix: string;
  readonly garbageCollection: boolean;
  readonly deleteCollectionWorkers: number;
  readonly namespaceGate: NamespaceGate | undefined;
  readonly convertsLate: boolean;
  /** Objects of any version in another one, with all that they have. */
  convert(objects: readonly KubeObject[], to: CustomVersion): KubeObject[] | Promise<KubeObject[]>;
  /** The same as they come out of storage: with today's fields and defaults of their own version. */
  fromStored(objects: readonly KubeObject[], to: CustomVersion): KubeObject[] | Promise<KubeObject[]>;
  version(apiVersion: string): ServedVersion | undefined;
  versions(): Iterable<ServedVersion>;
}

const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
/** While all of it is being deleted. */
const TERMINATING_VERBS = ["delete", "deletecollection", "get", "list", "watch"];
const SUBRESOURCE_VERBS = ["get", "patch", "update"];

export class ServedVersion {
  readonly kind: ServedKind;
  readonly #siblings: Siblings;
  #storage: VersionedStorage | undefined;
  #store: Store | undefined;
  #resource: ServedResource | undefined;
  #of: Definition | undefined;
  /** What OpenAPI tells of it. */
  readonly published: PublishedDefinition;

  constructor(readonly version: CustomVersion, siblings: Siblings) {
    this.#siblings = siblings;
    this.kind = new CustomKind(version, siblings);
    this.published = new PublishedVersion(version);
  }

  /** Ends its watches. */
  close(): void {
    this.#storage?.close();
  }

  get store(): Store {
    return this.#store ??= this.#createStore();
  }

  /** Made anew when names or state of the definition have changed. */
  get resource(): ServedResource {
    const { definition } = this.#siblings;
    if (this.#resource === undefined || this.#of !== definition) {
      this.#of = definition;
      this.#resource = new CustomServedResource(this, definition);
    }
    return this.#resource;
  }

  /** How its objects are scaled; undefined when they are not. */
  scaleForm(): ScaleForm | undefined {
    const { scale } = this.version.subresources;
    if (scale === undefined) return undefined;
    const fields = new ScaleFields(scale), { apiVersion } = this.version;
    const replicas: Record<string, readonly string[]> = {};
    for (const { version } of this.#siblings.versions()) {
      const path = version.subresources.scale?.specReplicasPath;
      if (path !== undefined) replicas[version.apiVersion] = pathOf(path);
    }
    return {
      mapping: { replicas, apiVersion },
      optionalPath: scale.specReplicasPath,
      read: (object) =>
        accessing(() => ({
          wanted: fields.wanted(object),
          present: fields.present(object),
          selector: fields.selector(object),
        })),
      setWanted: (object, count) => accessing(() => fields.setWanted(object, count)),
      check(_name, scale) {
        if (scale.kind !== "Scale") throw badRequestError(`expected input object type to be Scale, but ${scale.kind}`);
      },
    };
  }

  #createStore(): Store {
    const { version } = this, siblings = this.#siblings, { definition } = siblings;
    const resource = { group: definition.group, resource: definition.plural };
    const storage = this.#storage = new VersionedStorage(siblings.base, viewpoint(version, siblings));
    return new Store({
      resource,
      gvk: version.gvk,
      namespaced: definition.namespaced,
      prefix: siblings.prefix,
      get type() {
        return version.type;
      },
      definition: {
        gvk: version.gvk,
        resource: definition.plural,
        load: () => version.loadRules(),
        allowUnconditionalUpdate: false,
      },
      strategy: customStrategy(version),
      storage: new DryRunStorage(storage, (object) => storage.comeBack(object)),
      hooks: {
        beginCreate(_context, object) {
          if (siblings.definition.isTerminating) {
            const why = "create not allowed while custom resource definition is terminating";
            throw forbiddenError(resource, object.metadata.name ?? "", why);
          }
          return () => {};
        },
      },
      namespaceGate: siblings.namespaceGate,
      garbageCollection: siblings.garbageCollection,
      deleteCollectionWorkers: siblings.deleteCollectionWorkers,
    });
  }
}

function accessing<T>(access: () => T): T {
  try {
    return access();
  } catch (error) {
    throw error instanceof AccessorError ? unknownError(error.message) : error;
  }
}

function viewpoint(version: CustomVersion, siblings: Siblings): Viewpoint {
  const { storageVersion } = siblings.definition, isStorageVersion = version.digest.name === storageVersion;
  return {
    isStorageVersion,
    get completesOnRead() {
      const status = version.digest.hasStatus ? version.schema?.properties?.status : undefined;
      return status !== undefined && hasDefaults(status);
    },
    convertsLate: siblings.convertsLate,
    fromStored: (objects) => siblings.fromStored(objects, version),
    toStored(object) {
      if (isStorageVersion) return object;
      const to = siblings.version(`${version.gvk.group}/${storageVersion}`)!;
      const converted = siblings.convert([object], to.version);
      return converted instanceof Promise
        ? converted.then(([stored]) => to.version.prune(stored))
        : to.version.prune(converted[0]);
    },
    encode: (object) => encode(version.type, object),
    get fieldsOf() {
      return version.fieldsOf;
    },
  };
}

class CustomKind implements ServedKind {
  readonly gvk: GroupVersionKind;
  /** Storage is seen through the eyes of this version. */
  readonly storedGvk: GroupVersionKind;
  readonly custom = true;
  readonly listKind: string;
  readonly deprecationWarning: string | undefined;
  #columns: ServedKind["columns"];

  constructor(readonly version: CustomVersion, readonly siblings: Siblings) {
    this.gvk = this.storedGvk = version.gvk;
    this.listKind = version.definition.listKind;
    this.deprecationWarning = version.digest.deprecationWarning;
  }

  get type() {
    return this.version.type;
  }

  get columns() {
    return this.#columns ??= columnsOf(this.version.spec.additionalPrinterColumns);
  }

  setDefaults(object: KubeObject): void {
    this.version.setDefaults(object);
  }

  toStored(object: KubeObject): KubeObject {
    return object;
  }

  fromStored(object: KubeObject): KubeObject | Promise<KubeObject> {
    if (object.apiVersion === this.version.apiVersion) return object;
    const converted = this.siblings.convert([object], this.version);
    return converted instanceof Promise ? converted.then(([one]) => one) : converted[0];
  }

  inVersion(apiVersion: string): ServedKind | undefined {
    return this.siblings.version(apiVersion)?.kind;
  }
}

/** The schema is read each time: documents are made seldom and schemas are large. */
class PublishedVersion implements PublishedDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly status: boolean;
  readonly scale: boolean;
  readonly fingerprint: string;
  readonly #version: CustomVersion;

  constructor(version: CustomVersion) {
    const { definition, digest } = version;
    this.#version = version;
    this.group = definition.group;
    this.version = digest.name;
    this.kind = definition.kind;
    this.listKind = definition.listKind;
    this.resource = definition.plural;
    this.namespaced = definition.namespaced;
    this.status = digest.hasStatus;
    this.scale = digest.hasScale;
    this.fingerprint = digest.fingerprint;
  }

  get schema(): JsonObject | undefined {
    return this.#version.read().schema?.openAPIV3Schema as JsonObject | undefined;
  }

  get selectableFields(): readonly string[] {
    return fieldNames(this.#version.read().selectableFields);
  }
}

class CustomServedResource implements ServedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly kind: ServedKind;
  readonly storageVersion: GroupVersionKind;
  readonly subresources: ReadonlyMap<string, ServedSubresource>;
  readonly #served: ServedVersion;

  constructor(served: ServedVersion, definition: Definition) {
    const { version: { digest, gvk } } = served;
    this.#served = served;
    this.group = definition.group;
    this.version = digest.name;
    this.resource = definition.plural;
    this.singular = definition.singular;
    this.namespaced = definition.namespaced;
    this.shortNames = definition.shortNames;
    this.categories = definition.categories;
    this.verbs = definition.isTerminating ? TERMINATING_VERBS : VERBS;
    this.kind = served.kind;
    this.storageVersion = { ...gvk, version: definition.storageVersion };
    const subresources = new Map<string, ServedSubresource>();
    if (digest.hasStatus) subresources.set("status", new StatusSubresource(served));
    if (digest.hasScale) subresources.set("scale", new ScaleSubresource(served));
    this.subresources = subresources;
  }

  get storage() {
    return this.#served.store;
  }

  get selectableFields(): readonly string[] {
    const always = this.namespaced ? ["metadata.name", "metadata.namespace"] : ["metadata.name"];
    return [...always, ...fieldNames(this.#served.version.spec.selectableFields)];
  }
}

class StatusSubresource implements ServedSubresource {
  readonly name = "status";
  readonly verbs = SUBRESOURCE_VERBS;
  readonly kind: ServedKind;
  readonly responseKind: GroupVersionKind;
  readonly #served: ServedVersion;
  #storage: SubresourceStore | undefined;

  constructor(served: ServedVersion) {
    this.#served = served;
    this.kind = served.kind;
    this.responseKind = served.version.gvk;
  }

  get storage() {
    return this.#storage ??= new SubresourceStore(this.#served.store, customStatusStrategy(this.#served.version));
  }
}

class ScaleSubresource implements ServedSubresource {
  readonly name = "scale";
  readonly verbs = SUBRESOURCE_VERBS;
  readonly responseKind = SCALE;
  readonly #served: ServedVersion;
  #storage: ScaleStore | undefined;
  #kind: ServedKind | undefined;

  constructor(served: ServedVersion) {
    this.#served = served;
  }

  get kind(): ServedKind {
    return this.#kind ??= {
      ...builtinKind(SCALE, SCALE, kindDefinition(SCALE, "")),
      columns: columnsOf(SCALE_COLUMNS),
    };
  }

  get storage() {
    return this.#storage ??= new ScaleStore(this.#served.store, this.#served.scaleForm());
  }
}
