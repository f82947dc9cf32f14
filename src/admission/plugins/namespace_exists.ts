// NamespaceExists: nothing is done in a namespace that does not exist.
import { notFoundError } from "../../machinery/errors.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { on } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

export function namespaceExists({ lookup }: PluginContext): AdmissionPlugin {
  return {
    name: "NamespaceExists",
    handles: on("CREATE", "UPDATE", "DELETE"),
    async validate({ namespace, kind }) {
      if (namespace === "" || (kind.kind === "Namespace" && kind.group === "")) return;
      if (await lookup.get("", "namespaces", namespace) !== undefined) return;
      throw notFoundError({ group: "", resource: "namespaces" }, namespace);
    },
  };
}
