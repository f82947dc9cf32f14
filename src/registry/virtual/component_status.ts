// ComponentStatus: whether the other parts of a control plane answer on this machine (deprecated since v1.19).
import { notFoundError } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { Item, ListOptions, ListResult } from "../../storage/interface.ts";
import type { RequestContext } from "../../apis/context.ts";
import { BackendError, bodyOf, hostAndPort, requestBackend } from "../proxy/backend.ts";
import type { ResourceStorage, Result } from "../rest.ts";
import { lookUp } from "../../machinery/look_up.ts";

const KIND = { group: "", version: "v1", kind: "ComponentStatus" };
const HOST = "127.0.0.1";
const TIMEOUT = 20_000;
/** Where the components listen when nobody says otherwise. */
const PORTS: Readonly<Record<string, number>> = { "scheduler": 10259, "controller-manager": 10257 };
const STORAGE = "etcd-0";

interface Health {
  healthy: boolean;
  message: string;
}

/** @param storageHealthy throws when storage is not well */
export function componentStatuses(storageHealthy: () => Promise<void>): ResourceStorage {
  const statusOf = async (name: string, signal: AbortSignal): Promise<KubeObject> => {
    const { healthy, message } = name === STORAGE ? await askStorage(storageHealthy) : await ask(PORTS[name], signal);
    const conditions = [{ type: "Healthy", status: healthy ? "True" : "False", ...message !== "" && { message } }];
    return { kind: KIND.kind, apiVersion: KIND.version, metadata: { name }, conditions };
  };
  return {
    kind: KIND,
    async get({ signal }: RequestContext, name: string): Promise<Result> {
      if (name !== STORAGE && lookUp(PORTS, name) === undefined) {
        throw notFoundError({ group: "", resource: "componentstatus" }, name);
      }
      return { object: await statusOf(name, signal) };
    },
    async list({ signal }: RequestContext, { predicate }: ListOptions): Promise<ListResult> {
      const names = [...Object.keys(PORTS), STORAGE];
      const items = (await Promise.all(names.map((name) => statusOf(name, signal)))).map(itemOf);
      return { items: items.filter((item) => predicate?.matches(item) ?? true), revision: 0 };
    },
  };
}

async function askStorage(healthy: () => Promise<void>): Promise<Health> {
  try {
    await healthy();
    return { healthy: true, message: "ok" };
  } catch (e) {
    return { healthy: false, message: (e as Error).message };
  }
}

async function ask(port: number, signal: AbortSignal): Promise<Health> {
  const path = "/healthz", url = `https://${hostAndPort(HOST, port)}${path}`;
  try {
    const answer = await requestBackend({
      scheme: "https",
      host: HOST,
      port,
      method: "GET",
      path,
      headers: {},
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    });
    const body = await new Response(bodyOf(answer)).text(), code = answer.statusCode ?? 0;
    const good = code >= 200 && code < 400;
    return { healthy: good, message: good ? body : `HTTP probe failed with statuscode: ${code}` };
  } catch (e) {
    if (!(e instanceof BackendError)) throw e;
    return { healthy: false, message: `Get "${url}": ${e.message}` };
  }
}

/** As if it had come out of storage. */
function itemOf(object: KubeObject): Item {
  const { kind, apiVersion, ...rest } = object, { name = "" } = object.metadata;
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
  return {
    key: name,
    revision: 0,
    text: head + JSON.stringify(rest).slice(1),
    bodyStart: head.length,
    labels: {},
    fields: { "metadata.name": name, "metadata.namespace": "" },
    object: () => structuredClone(object),
    withRevision() {
      return this;
    },
  };
}
