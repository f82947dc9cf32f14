// Since when the use of legacy service account tokens is noted (KEP-2799): kube-controller-manager takes back those that
// were not used for a long while after that.
import type { PostStartHook } from "../delegation.ts";
import type { LoopbackClient } from "../loopback_client.ts";
import { ensureNamespace } from "./hooks.ts";

const NAMESPACE = "kube-system";
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const NAME = "kube-apiserver-legacy-service-account-token-tracking";

export function legacyTokenTrackingHook(client: LoopbackClient): PostStartHook {
  return {
    name: "start-legacy-token-tracking-controller",
    async run() {
      const since = new Date().toISOString().slice(0, 10);
      const found = await client.get(`${CONFIG_MAPS}/${NAME}`);
      if (found === undefined) {
        await ensureNamespace(client, NAMESPACE);
        const metadata = { name: NAME, namespace: NAMESPACE };
        await client.create(CONFIG_MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { since } });
      } else if (!/^\d{4}-\d{2}-\d{2}$/.test(found.data?.since ?? "")) {
        await client.update(`${CONFIG_MAPS}/${NAME}`, { ...found, data: { ...found.data, since } });
      }
    },
  };
}
