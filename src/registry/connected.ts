// Subresources that are no plain writes of their object: bindings, evictions, and the ways to what runs on nodes.
import type { BuiltinOptions, BuiltinResources } from "./builtin.ts";
import { type KubeletOptions, Kubelets } from "./kubelet/connection.ts";
import { BindingStore } from "./pods/binding.ts";
import { EvictionStore } from "./pods/eviction.ts";
import { LogStore } from "./pods/log.ts";
import { PodStreamStore } from "./pods/streams.ts";
import { nodeProxy, podProxy, serviceProxy } from "./proxy/stores.ts";

/** `resource/subresource` → its storage. */
export function connectedSubresources(kubelet: KubeletOptions): NonNullable<BuiltinOptions["subresources"]> {
  const kubelets = (resources: BuiltinResources) => new Kubelets(resources.store("", "nodes"), kubelet);
  return {
    "nodes/proxy": (nodes, resources) => nodeProxy(nodes, kubelets(resources)),
    "pods/attach": (pods, resources) => new PodStreamStore(pods, kubelets(resources), "PodAttachOptions"),
    "pods/binding": (pods) => new BindingStore(pods),
    "pods/eviction": (pods, resources) => new EvictionStore(pods, resources.store("policy", "poddisruptionbudgets")),
    "pods/exec": (pods, resources) => new PodStreamStore(pods, kubelets(resources), "PodExecOptions"),
    "pods/log": (pods, resources) => new LogStore(pods, kubelets(resources)),
    "pods/portforward": (pods, resources) => new PodStreamStore(pods, kubelets(resources), "PodPortForwardOptions"),
    "pods/proxy": (pods) => podProxy(pods),
    "services/proxy": (services, resources) =>
      serviceProxy(services, resources.store("", "endpoints"), resources.store("", "pods")),
  };
}
