// Which servers the endpoints of the `kubernetes` service name: --endpoint-reconciler-type. Servers that share an etcd
// keep a lease each beside one another, kube-apiservers as well as those of this program.
import { kindDefinition, modelOf } from "../../apis/scheme.ts";
import { encodeStored } from "../../machinery/codec/encode.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { storedForm } from "../../registry/stored_form.ts";
import { StorageError, type StorageFactory } from "../../storage/mod.ts";

export interface ServerAddresses {
  /** Others keep theirs there as well: what they wrote of ports stays. */
  readonly shared: boolean;
  /** Says that this server is there, for a while, and gives the addresses of all that are. */
  renew(): Promise<string[]>;
  /** Takes this server's away and gives those of the others. */
  leave(): Promise<string[]>;
}

/** Of a process that is alone on its storage. */
export function ownAddress(address: string): ServerAddresses {
  const only = () => Promise.resolve([address]);
  return { shared: false, renew: only, leave: only };
}

const PREFIX = "/registry/masterleases/";
/** Longer than the time between two renewals, as kube-apiserver's. */
const LEASE_SECONDS = 15;
const ENDPOINTS = { group: "", version: "v1", kind: "Endpoints" };

/** Of servers that share an etcd. */
export function leasedAddresses(address: string, factory: StorageFactory): ServerAddresses {
  const key = PREFIX + address, type = modelOf(ENDPOINTS);
  const { storage } = factory.forResource({
    prefix: PREFIX,
    resource: { group: "", resource: "apiServerIPInfo" },
    attributesOf: () => ({ labels: {}, fields: {} }),
    encode: (object) => encodeStored(type, object),
    form: storedForm(ENDPOINTS, kindDefinition(ENDPOINTS, "endpoints"), true),
    noCache: true,
  });
  const all = async () => {
    const { items } = await storage.list(PREFIX);
    return items.flatMap((item) => item.object().subsets?.[0]?.addresses?.[0]?.ip ?? []).sort();
  };
  return {
    shared: true,
    async renew() {
      // An update that changes nothing would not be written, and the time to live not begin again.
      const renewed = ({ metadata }: KubeObject): KubeObject => ({
        kind: "Endpoints",
        apiVersion: "v1",
        metadata: { ...metadata, generation: (metadata?.generation ?? 0) + 1 },
        subsets: [{ addresses: [{ ip: address }] }],
      });
      const update = (current: KubeObject) => ({ object: renewed(current), ttl: LEASE_SECONDS });
      await storage.guaranteedUpdate(key, update, { ignoreNotFound: true });
      return await all();
    },
    async leave() {
      await storage.delete(key).catch((error) => {
        if (!(error instanceof StorageError && error.code === "KeyNotFound")) throw error;
      });
      return await all();
    },
  };
}
