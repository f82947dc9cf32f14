// Subresources that are no plain writes of their object: bindings, evictions, and the ways to what runs on nodes.
import type { Authorizer } from "../authorization/interface.ts";
import type { BuiltinOptions, BuiltinResources } from "./builtin.ts";
import { type KubeletOptions, Kubelets } from "./proxy/kubelets.ts";
import { BindingStore } from "./pods/binding.ts";
import { EvictionStore } from "./pods/eviction.ts";
import { LogStore } from "./pods/log.ts";
import { PodStreamStore, type StreamKind } from "./pods/streams.ts";
import { nodeProxy, podProxy, serviceProxy } from "./proxy/stores.ts";
import type { Store } from "./store.ts";

/** `resource/subresource` → its storage. */
export function connectedSubresources(
  kubelet: KubeletOptions,
  authorizer: Authorizer,
): NonNullable<BuiltinOptions["subresources"]> {
  const kubelets = (resources: BuiltinResources) => new Kubelets(resources.store("", "nodes"), kubelet);
  const streams = (kind: StreamKind) => (pods: Store, resources: BuiltinResources) =>
    new PodStreamStore(pods, kubelets(resources), { kind, authorizer });
  return {
    "nodes/proxy": (nodes, resources) => nodeProxy(nodes, kubelets(resources)),
    "pods/attach": streams("PodAttachOptions"),
    "pods/binding": (pods) => new BindingStore(pods),
    "pods/eviction": (pods, resources) => new EvictionStore(pods, resources.store("policy", "poddisruptionbudgets")),
    "pods/exec": streams("PodExecOptions"),
    "pods/log": (pods, resources) => new LogStore(pods, kubelets(resources)),
    "pods/portforward": streams("PodPortForwardOptions"),
    "pods/proxy": (pods) => podProxy(pods),
    "services/proxy": (services, resources) =>
      serviceProxy(services, resources.store("", "endpoints"), resources.store("", "pods")),
  };
}
