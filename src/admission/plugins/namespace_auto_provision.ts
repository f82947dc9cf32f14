// NamespaceAutoProvision: whatever is made in a namespace that does not exist makes the namespace.
import { StatusError } from "../../machinery/errors.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

export function namespaceAutoProvision({ lookup, client }: PluginContext): AdmissionPlugin {
  return {
    name: "NamespaceAutoProvision",
    handles: on("CREATE"),
    async admit(attributes) {
      const { dryRun, namespace: name, kind } = attributes;
      if (dryRun || name === "" || (kind.kind === "Namespace" && kind.group === "")) return;
      if (await lookup.get("", "namespaces", name) !== undefined) return;
      try {
        await client.create("/api/v1/namespaces", { kind: "Namespace", apiVersion: "v1", metadata: { name } });
      } catch (e) {
        if (!(e instanceof StatusError) || e.reason === "Forbidden") throw e;
        throw refusal(attributes, e.message);
      }
    },
  };
}
