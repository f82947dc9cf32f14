// Where the kubelet of a node listens, and how it is spoken to.
import type { Node } from "../../facts/generated/types.ts";
import { notFoundError, unknownError } from "../../machinery/errors.ts";
import type { GroupResource } from "../../machinery/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { BackendTls } from "./backend.ts";
import { getIfThere } from "../rest.ts";
import type { Store } from "../store.ts";

export interface KubeletOptions extends BackendTls {
  /** Types of node addresses, the preferred one first. */
  preferredAddressTypes: readonly string[];
  /** Milliseconds until a kubelet has to be reached. */
  timeout: number;
}

const KUBELET_PORT = 10250;

export interface KubeletAddress {
  host: string;
  port: number;
}

export class Kubelets {
  constructor(readonly nodes: Store, readonly options: KubeletOptions) {}

  /**
   * The address of the kubelet on `node`.
   *
   * @param asked the resource of the request, which messages name when there is no such node
   */
  async addressOf(context: RequestContext, node: string, asked: GroupResource): Promise<KubeletAddress> {
    const found = await getIfThere(this.nodes, context, node) as Node | undefined;
    if (found === undefined) throw notFoundError(asked, node);
    const { addresses = [], daemonEndpoints } = found.status ?? {};
    const port = daemonEndpoints?.kubeletEndpoint?.Port || KUBELET_PORT;
    for (const type of this.options.preferredAddressTypes) {
      const address = addresses.find((a) => a.type === type);
      if (address?.address !== undefined) return { host: address.address, port };
    }
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(" ");
    throw unknownError(`no preferred addresses found; known addresses: [${known}]`);
  }
}
