// exec, attach and port-forward: streams between a client and the kubelet of a pod's node.
import type { Pod } from "../../apis/core/pod.ts";
import { badRequestError } from "../../machinery/errors.ts";
import type { GroupVersionKind } from "../../machinery/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { Kubelets } from "../kubelet/connection.ts";
import { type ConnectRequest, objectOf, type ResourceStorage } from "../rest.ts";
import type { Store } from "../store.ts";
import { chooseContainer } from "./containers.ts";

/** `pods/exec`, `pods/attach` and `pods/portforward` */
export class PodStreamStore implements ResourceStorage {
  readonly kind: GroupVersionKind;

  /** @param kind of the options: PodExecOptions, PodAttachOptions, PodPortForwardOptions */
  constructor(readonly pods: Store, readonly kubelets: Kubelets, kind: string) {
    this.kind = { group: "", version: "v1", kind };
  }

  async connect(context: RequestContext, name: string, { options }: ConnectRequest): Promise<Response> {
    const pod = objectOf(await this.pods.get(context, name, {})) as Pod;
    if (this.kind.kind !== "PodPortForwardOptions") chooseContainer(pod, options.container as string | undefined ?? "");
    const node = pod.spec?.nodeName;
    if (!node) throw badRequestError(`pod ${name} does not have a host assigned`);
    await this.kubelets.addressOf(context, node, this.pods.config.resource);
    throw badRequestError("Upgrade request required");
  }
}
