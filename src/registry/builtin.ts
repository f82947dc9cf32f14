// Every built-in resource, put together from the generated table, the kinds' definitions and storage. A resource is built
// when it is first asked for.
import { type ResourceRow, RESOURCES } from "../facts/generated/resources.ts";
import type { KindDefinition } from "../apis/kind.ts";
import { builtinKind, kindDefinition, modelOf } from "../apis/scheme.ts";
import type { ResourceProvider, ServedKind, ServedResource, ServedSubresource } from "./resource.ts";
import { encodeStored } from "../machinery/codec/encode.ts";
import { apiVersionOf, formatGroupResource, type KubeObject } from "../machinery/types.ts";
import type { StorageFactory } from "../storage/mod.ts";
import type { StoreHooks } from "./config.ts";
import { CustomResourceDefinitionStore } from "./customresourcedefinition.ts";
import { NamespaceStore } from "./namespace.ts";
import { NamespaceGate } from "./namespace_gate.ts";
import { PriorityClassStore } from "./priorityclass.ts";
import type { ResourceStorage } from "./rest.ts";
import { ScaleStore } from "./scale.ts";
import { Store } from "./store.ts";
import { storedForm } from "./stored_form.ts";
import { mainStrategy, statusStrategy } from "./strategy.ts";
import { SubresourceStore } from "./subresource.ts";

export interface BuiltinOptions {
  storage: StorageFactory;
  /** Write objects as protobuf, as far as kube-apiserver does; JSON unless set. */
  protobufStorage?: boolean;
  /** Whether this version of a resource is served (--runtime-config). */
  enabled(group: string, version: string, resource: string): boolean;
  garbageCollection: boolean;
  deleteCollectionWorkers: number;
  /** Seconds that events live. */
  eventTtl: number;
  /** Stateful kinds, by `resource.group` (`services`). */
  hooks?: Readonly<Record<string, (resources: BuiltinResources) => StoreHooks>>;
  /** Resources without objects, by `resource.group` (`tokenreviews.authentication.k8s.io`). */
  virtual?: Readonly<Record<string, ResourceStorage>>;
  /** Subresources beyond status and scale, by `resource.group/subresource` (`pods/binding`). */
  subresources?: Readonly<Record<string, (store: Store, resources: BuiltinResources) => ResourceStorage>>;
}

/** The built-in resources, also for use inside of the process. */
export interface BuiltinResources extends ResourceProvider {
  /** The generic Store behind `resource` of `group`. Throws when there is none. */
  store(group: string, resource: string): Store;
  /** Holds the deletion of a namespace off while something is written into it. */
  readonly namespaceGate: NamespaceGate;
}

export function createBuiltinResources(options: BuiltinOptions): BuiltinResources {
  return new Builtin(options);
}

/** Resources that are deleted in their own way. */
const STORES: Readonly<Record<string, typeof Store>> = {
  "customresourcedefinitions.apiextensions.k8s.io": CustomResourceDefinitionStore,
  namespaces: NamespaceStore,
  "priorityclasses.scheduling.k8s.io": PriorityClassStore,
};

class Builtin implements BuiltinResources {
  readonly #options: BuiltinOptions;
  readonly #rows = new Map<string, ResourceRow>();
  /** The first version of each resource that has objects, served or not, by `resource.group`. */
  readonly #stored = new Map<string, ResourceRow>();
  readonly #served = new Map<ResourceRow, ServedResource>();
  readonly #stores = new Map<string, Store>();
  #all: ServedResource[] | undefined;
  readonly namespaceGate = new NamespaceGate();

  constructor(options: BuiltinOptions) {
    this.#options = options;
    for (const row of RESOURCES) {
      const name = formatGroupResource(row);
      if (row.prefix !== "" && !this.#stored.has(name)) this.#stored.set(name, row);
      if (options.enabled(row.group, row.version, row.resource)) {
        this.#rows.set(`${row.group}/${row.version}/${row.resource}`, row);
      }
    }
  }

  lookup(group: string, version: string, resource: string): ServedResource | undefined {
    const row = this.#rows.get(`${group}/${version}/${resource}`);
    return row && this.#serve(row);
  }

  all(): readonly ServedResource[] {
    return this.#all ??= [...this.#rows.values()].flatMap((row) => this.#serve(row) ?? []);
  }

  store(group: string, resource: string): Store {
    const row = this.#stored.get(formatGroupResource({ group, resource }));
    if (row === undefined) throw new Error(`no stored resource ${resource} in group "${group}"`);
    return this.#store(row);
  }

  #serve(row: ResourceRow): ServedResource | undefined {
    const known = this.#served.get(row);
    if (known !== undefined) return known;
    const name = formatGroupResource(row);
    const storage = row.prefix === "" ? this.#options.virtual?.[name] : this.#view(row);
    // A resource without objects that nobody has built is not served at all.
    if (storage === undefined) return undefined;
    const definition = kindDefinition(row.stored, row.resource);
    const gvk = { group: row.group, version: row.version, kind: row.kind };
    const kind: ServedKind = builtinKind(gvk, row.stored, definition);
    const served: ServedResource = {
      ...row,
      kind,
      storage,
      subresources: this.#subresources(row, kind, storage, definition),
      selectableFields: ["metadata.name", "metadata.namespace", ...fieldNames(definition)],
    };
    this.#served.set(row, served);
    return served;
  }

  /** The Store as another group shows it: messages name that group, and its own rules hold. */
  #view(row: ResourceRow): Store {
    const store = this.#store(row), { group, version, resource } = row;
    if (group === row.stored.group) return store;
    const { definition, type } = store.config;
    const own = definition.conversions?.[apiVersionOf({ group, version })]?.strategy;
    return new Store({
      ...store.config,
      resource: { group, resource },
      strategy: mainStrategy({ ...definition, ...own }, type, row.subresources.some((s) => s.name === "status")),
    });
  }

  #store(row: ResourceRow): Store {
    const known = this.#stores.get(row.prefix);
    if (known !== undefined) return known;
    const { storage, protobufStorage = false, garbageCollection, deleteCollectionWorkers, eventTtl, hooks } =
      this.#options;
    const definition = kindDefinition(row.stored, row.resource);
    const type = modelOf(row.stored);
    const StoreClass = STORES[formatGroupResource(row)] ?? Store;
    const store = new StoreClass({
      resource: { group: row.stored.group, resource: row.resource },
      gvk: row.stored,
      namespaced: row.namespaced,
      prefix: row.prefix,
      type,
      definition,
      strategy: mainStrategy(definition, type, row.subresources.some((s) => s.name === "status")),
      storage: storage.forResource({
        prefix: `${row.prefix}/`,
        resource: { group: row.stored.group, resource: row.resource },
        attributesOf: attributesOf(definition),
        encode: (object) => encodeStored(type, object),
        form: storedForm(row.stored, definition, protobufStorage),
      }),
      hooks: hooks?.[formatGroupResource(row)]?.(this),
      namespaceGate: this.namespaceGate,
      ttl: row.resource === "events" ? eventTtl : undefined,
      garbageCollection,
      deleteCollectionWorkers,
    });
    this.#stores.set(row.prefix, store);
    return store;
  }

  #subresources(
    row: ResourceRow,
    kind: ServedKind,
    storage: ResourceStorage,
    definition: KindDefinition,
  ): Map<string, ServedSubresource> {
    const served = new Map<string, ServedSubresource>();
    for (const { name, responseKind, verbs } of row.subresources) {
      const own = storage instanceof Store ? this.#subresource(row, name, storage, definition) : undefined;
      if (own === undefined) continue;
      const same = responseKind.kind === kind.gvk.kind;
      served.set(name, {
        name,
        verbs,
        responseKind,
        storage: own,
        kind: same ? kind : builtinKind(responseKind, responseKind, kindDefinition(responseKind, "")),
      });
    }
    return served;
  }

  #subresource(row: ResourceRow, name: string, store: Store, definition: KindDefinition): ResourceStorage | undefined {
    const given = this.#options.subresources?.[`${formatGroupResource(row)}/${name}`];
    if (given !== undefined) return given(store, this);
    if (name === "status") return new SubresourceStore(store, statusStrategy(definition));
    if (name === "scale") return new ScaleStore(store);
    const strategy = definition.subresources?.[name];
    return strategy && new SubresourceStore(store, strategy);
  }
}

function attributesOf(definition: KindDefinition) {
  return (object: KubeObject) => {
    const { name = "", namespace = "", labels = {} } = object.metadata;
    const fields: Record<string, string> = { "metadata.name": name, "metadata.namespace": namespace };
    return { labels, fields: definition.fields ? Object.assign(fields, definition.fields(object)) : fields };
  };
}

/** The names of a kind's selectable fields, asked of an object with nothing in it. */
function fieldNames(definition: KindDefinition): string[] {
  if (definition.fields === undefined) return [];
  return Object.keys(definition.fields({ kind: "", apiVersion: "", metadata: {}, spec: {}, status: {} }));
}
