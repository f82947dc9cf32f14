// What plugins are made of.
import type { Authorizer } from "../../authorization/interface.ts";
import type { GroupVersionKind, GroupVersionResource, Json, KubeObject } from "../../machinery/types.ts";
import type { Metrics } from "../../metrics/mod.ts";
import type { ResolveService } from "../../registry/services/resolve.ts";
import type { AdmissionPlugin } from "../interface.ts";
import type { ObjectLookup } from "./lookup.ts";

/** Seconds that pods stay on a node that is not ready or cannot be reached. */
export interface TolerationSeconds {
  notReady: number;
  unreachable: number;
}

/** Writes as the server itself, through the whole chain of handlers. */
export interface ServerClient {
  /** Undefined when an object of this name exists already. Throws a StatusError when it is refused. */
  create(path: string, object: Record<string, unknown>): Promise<KubeObject | undefined>;
  /** Replaces, unless somebody else was faster. Throws a StatusError. */
  update(path: string, object: Record<string, unknown>): Promise<KubeObject>;
}

/** A resource at one of its versions. */
export interface ServedKindResource extends GroupVersionResource {
  namespaced: boolean;
}

/** Reads objects of one kind, in its version. They are shared: whoever wants to change one clones it. */
export interface KindReader {
  namespaced: boolean;
  /** Undefined when there is none. */
  get(name: string, namespace: string): Promise<KubeObject | undefined>;
  list(namespace: string): Promise<KubeObject[]>;
}

/** What happens to the objects of a resource; they are shared. */
export interface FollowHandler {
  changed(object: KubeObject): void;
  deleted(object: KubeObject): void;
}

export interface PluginContext {
  /** Other objects: nothing is read before the first question. */
  lookup: ObjectLookup;
  client: ServerClient;
  /** Every resource that is served for a kind; `apiVersion` as an object has it. */
  resourcesOf(apiVersion: string, kind: string): ServedKindResource[];
  /** The other resources, with their kinds, through which the same objects are read and written. */
  equivalentsOf(
    resource: GroupVersionResource,
    subresource: string,
  ): { resource: GroupVersionResource; kind: GroupVersionKind }[];
  /** Resolves when the handler has seen every object of a built-in resource; goes on until the server stops. */
  follow(resource: GroupVersionResource, handler: FollowHandler): Promise<void>;
  /** Any kind that is served, custom resources included; undefined when there is none of this name. */
  readerOf(apiVersion: string, kind: string): KindReader | undefined;
  authorizer: Authorizer;
  /** Where services are that webhooks are behind. */
  resolveService: ResolveService;
  metrics: Pick<Metrics, "add" | "observe">;
  features: { enabled(name: string): boolean };
  tolerationSeconds: TolerationSeconds;
  /** What the AdmissionConfiguration says to this plugin; undefined when it says nothing. */
  configuration: Json | undefined;
}

/** Throws an Error about a configuration that makes no sense. */
export type PluginFactory = (context: PluginContext) => AdmissionPlugin | Promise<AdmissionPlugin>;
