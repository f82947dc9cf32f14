// NamespaceLifecycle: nothing is made in a namespace that does not exist or is being deleted, and three namespaces stay.
import { forbiddenError, notFoundError, type StatusError } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
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

function isNamespace({ kind }: AdmissionAttributes): boolean {
  return kind.kind === "Namespace" && kind.group === "";
}

function check(attributes: AdmissionAttributes, namespace: KubeObject | undefined): void {
  if (namespace === undefined) throw notFoundError(NAMESPACES, attributes.namespace);
  if (attributes.operation === "CREATE" && namespace.metadata.deletionTimestamp) throw terminating(attributes);
}

export function namespaceLifecycle({ lookup }: PluginContext): AdmissionPlugin {
  function find(attributes: AdmissionAttributes) {
    const { namespace, resource } = attributes;
    if (namespace === "" || isNamespace(attributes) || isOf(resource, REVIEWS)) return undefined;
    return { found: lookup.get(NAMESPACES.group, NAMESPACES.resource, namespace) };
  }

  return {
    name: "NamespaceLifecycle",
    handles: on("CREATE", "UPDATE", "DELETE"),
    admit(attributes) {
      const { operation, resource, name } = attributes;
      if (operation === "DELETE") {
        if (isNamespace(attributes) && IMMORTAL.has(name)) {
          throw forbiddenError(resource, name, "this namespace may not be deleted");
        }
        return;
      }
      const inside = find(attributes);
      if (inside === undefined) return;
      const { found } = inside;
      if (found instanceof Promise) return found.then((namespace) => check(attributes, namespace));
      check(attributes, found);
    },
    commit(attributes) {
      const inside = find(attributes);
      // Whoever cannot know at once has a database that others write to as well: there is no last look at it.
      if (inside?.found instanceof Promise) inside.found.catch(() => {});
      else if (inside !== undefined) check(attributes, inside.found);
    },
  };
}
