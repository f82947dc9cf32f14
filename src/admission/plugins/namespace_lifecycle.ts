// NamespaceLifecycle: nothing is made in a namespace that does not exist or is being deleted, and three namespaces stay.
import { forbiddenError, notFoundError, type StatusError } from "../../machinery/errors.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isOf, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

const NAMESPACES = { group: "", resource: "namespaces" };
const IMMORTAL = new Set(["default", "kube-system", "kube-public"]);

/** Reviews ask about a namespace, they put nothing into it. */
const REVIEWS = { group: "authorization.k8s.io", resource: "localsubjectaccessreviews" };

function terminating(attributes: AdmissionAttributes): StatusError {
  const { namespace } = attributes;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const error = refusal(attributes, why);
  const cause = {
    reason: "NamespaceTerminating",
    message: `namespace ${namespace} is being terminated`,
    field: "metadata.namespace",
  };
  error.status.details = { ...error.status.details, causes: [cause] };
  return error;
}

export function namespaceLifecycle({ lookup }: PluginContext): AdmissionPlugin {
  const { config } = lookup.resources.store(NAMESPACES.group, NAMESPACES.resource);
  const { storage } = config.storage;

  /** `text` is the namespace as JSON; nearly every namespace lives, so that it need not be parsed. */
  function check(attributes: AdmissionAttributes, text: string): void {
    if (attributes.operation === "CREATE" && text.includes('"deletionTimestamp"')) throw terminating(attributes);
  }

  async function lookUp(attributes: AdmissionAttributes): Promise<void> {
    const found = await lookup.get(NAMESPACES.group, NAMESPACES.resource, attributes.namespace);
    if (found === undefined) throw notFoundError(NAMESPACES, attributes.namespace);
    check(attributes, JSON.stringify(found.metadata));
  }

  return {
    name: "NamespaceLifecycle",
    handles: on("CREATE", "UPDATE", "DELETE"),
    admit(attributes) {
      const { operation, resource, name, namespace, kind } = attributes;
      const isNamespace = kind.kind === "Namespace" && kind.group === "";
      if (operation === "DELETE") {
        if (isNamespace && IMMORTAL.has(name)) {
          throw forbiddenError(resource, name, "this namespace may not be deleted");
        }
        return;
      }
      if (namespace === "" || isNamespace || isOf(resource, REVIEWS)) return;
      const item = storage.getCached?.(`${config.prefix}/${namespace}`);
      if (!item) return lookUp(attributes);
      check(attributes, item.text);
    },
  };
}
