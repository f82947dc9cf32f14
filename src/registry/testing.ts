// What tests ask of kinds: writes into a storage in memory, with everything but HTTP, admission and authorization.
import { RESOURCES } from "../facts/generated/resources.ts";
import { controllerContext } from "../controllers/informer.ts";
import { decode } from "../machinery/codec/decode.ts";
import { StatusError } from "../machinery/errors.ts";
import type { Json, KubeObject } from "../machinery/types.ts";
import { apiVersionOf } from "../machinery/types.ts";
import { createStorage } from "../storage/mod.ts";
import { type BuiltinOptions, type BuiltinResources, createBuiltinResources } from "./builtin.ts";
import type { RequestContext } from "../apis/context.ts";
import { objectOf } from "./rest.ts";

const WORKER = new URL("../storage/sqlite/writer_entry.ts", import.meta.url);
const NAMESPACE = "default";

/** An object as a client sends it. */
export type Sent = { apiVersion: string; kind: string; metadata?: Record<string, unknown>; [member: string]: unknown };

export class Trial {
  readonly warnings: string[] = [];
  readonly context: RequestContext = {
    ...controllerContext("test", new AbortController().signal),
    addWarning: (text) => void this.warnings.push(text),
  };

  constructor(readonly resources: BuiltinResources) {}

  /** What is stored. Throws StatusErrors. */
  async create(sent: Sent, { dryRun = false } = {}): Promise<KubeObject> {
    const { storage, context, object } = await this.#take(sent);
    return objectOf(await storage.create!(context, object.metadata.name ?? "", object, { options: {}, dryRun }));
  }

  /** What is stored after an update; its resourceVersion is that of what was stored before. */
  async update(sent: Sent, { dryRun = false, subresource = "" } = {}): Promise<KubeObject> {
    const { storage, context, object, resource } = await this.#take(sent);
    const way = subresource === "" ? storage : resource.subresources.get(subresource)!.storage;
    const { result } = await way.update!(context, object.metadata.name!, (old) => {
      object.metadata.resourceVersion ??= old?.metadata.resourceVersion;
      return Promise.resolve(object);
    }, { options: {}, dryRun });
    return objectOf(result);
  }

  /** `field: message` for everything wrong with a new object. */
  refusals(sent: Sent): Promise<string[]> {
    return causesOf(this.create(sent, { dryRun: true }));
  }

  /** `field: message` for everything wrong with an update. */
  updateRefusals(sent: Sent, options: { subresource?: string } = {}): Promise<string[]> {
    return causesOf(this.update(sent, { ...options, dryRun: true }));
  }

  /** Cells of the Table, by the names of their columns. */
  async row(sent: Sent): Promise<Record<string, Json>> {
    const { resource, object } = await this.#take(sent);
    const { columns = [] } = resource.kind;
    return Object.fromEntries(columns.map((c) => [c.name, c.cell(object, Date.now())]));
  }

  async #take(sent: Sent) {
    const row = RESOURCES.find((r) => apiVersionOf(r) === sent.apiVersion && r.kind === sent.kind && r.prefix !== "");
    if (row === undefined) throw new Error(`no resource of ${sent.apiVersion} ${sent.kind}`);
    const resource = this.resources.lookup(row.group, row.version, row.resource)!;
    const metadata = { name: "a", ...row.namespaced && { namespace: NAMESPACE }, ...sent.metadata };
    const { object } = decode(resource.kind.type, structuredClone({ ...sent, metadata }) as unknown as Json);
    resource.kind.setDefaults(object);
    const context = { ...this.context, namespace: row.namespaced ? metadata.namespace ?? NAMESPACE : "" };
    return { resource, storage: resource.storage, context, object: await resource.kind.toStored(object) };
  }
}

async function causesOf(write: Promise<KubeObject>): Promise<string[]> {
  try {
    await write;
    return [];
  } catch (e) {
    if (!(e instanceof StatusError)) throw e;
    const { details, message = "" } = e.status;
    return details?.causes?.map((cause) => `${cause.field}: ${cause.message}`) ?? [message];
  }
}

export async function withTrial(
  body: (trial: Trial) => Promise<void>,
  { hooks }: Pick<BuiltinOptions, "hooks"> = {},
): Promise<void> {
  const storage = await createStorage({ engine: { backend: "sqlite", path: ":memory:", workerUrl: WORKER } });
  try {
    const resources = createBuiltinResources({
      storage,
      enabled: () => true,
      garbageCollection: true,
      deleteCollectionWorkers: 1,
      eventTtl: 0,
      hooks,
    });
    await body(new Trial(resources));
  } finally {
    await storage.close();
  }
}
