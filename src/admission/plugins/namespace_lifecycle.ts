// NamespaceLifecycle: nothing is made in a namespace that does not exist or is being deleted, and three namespaces stay.
import { forbiddenError, notFoundError } from "../../machinery/errors.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { refusal } from "./attributes.ts";
import type { ObjectLookup } from "./lookup.ts";

const IMMORTAL = new Set(["default", "kube-system", "kube-public"]);

/** Reviews ask about a namespace, they put nothing into it. */
const REVIEWS = new Set(["localsubjectaccessreviews"]);

export function namespaceLifecycle(lookup: ObjectLookup): AdmissionPlugin {
  const store = lookup.resources.store("", "namespaces");
  const { storage } = store.config.storage;

  function check(attributes: AdmissionAttributes, text: string): void {
    // Nearly every namespace lives: its text need not be parsed.
    if (!text.includes('"deletionTimestamp"')) return;
    const { namespace } = attributes;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const error = refusal(attributes, why);
    const cause = {
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    };
    error.status.details = { ...error.status.details, causes: [cause] };
    throw error;
  }

  async function lookUp(attributes: AdmissionAttributes): Promise<void> {
    const found = await lookup.get("", "namespaces", attributes.namespace);
    if (found === undefined) throw notFoundError({ group: "", resource: "namespaces" }, attributes.namespace);
    check(attributes, JSON.stringify(found.metadata));
  }

  return {
    name: "NamespaceLifecycle",
    handles: (operation) => operation === "CREATE" || operation === "DELETE",
    admit(attributes) {
      const { operation, resource, name, namespace } = attributes;
      if (operation === "DELETE") {
        if (resource.resource === "namespaces" && resource.group === "" && IMMORTAL.has(name)) {
          throw forbiddenError(resource, name, "this namespace may not be deleted");
        }
        return;
      }
      if (namespace === "" || resource.resource === "namespaces" || REVIEWS.has(resource.resource)) return;
      const item = storage.getCached?.(`${store.config.prefix}/${namespace}`);
      if (!item) return lookUp(attributes);
      check(attributes, item.text);
    },
  };
}
