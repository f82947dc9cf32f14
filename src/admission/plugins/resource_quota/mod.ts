// ResourceQuota: a namespace uses no more than its quotas allow.
import type { KubeObject } from "../../../machinery/types.ts";
import { formatGroupResource } from "../../../machinery/types.ts";
import { readConfiguration } from "../../configuration.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../../interface.ts";
import { on } from "../attributes.ts";
import type { PluginContext } from "../context.ts";
import type { ObjectLookup } from "../lookup.ts";
import type { LimitedResource } from "./check.ts";
import { counting, countName, type Evaluator } from "./evaluator.ts";
import { pods } from "./pods.ts";
import { Reservations } from "./reservations.ts";
import { resourceClaims } from "./resource_claims.ts";
import { services } from "./services.ts";
import { volumeClaims } from "./volume_claims.ts";

/** What is never stored, and events, which live for an hour. */
const IGNORED = new Set([
  "bindings",
  "componentstatuses",
  "tokenreviews.authentication.k8s.io",
  "selfsubjectreviews.authentication.k8s.io",
  "subjectaccessreviews.authorization.k8s.io",
  "selfsubjectaccessreviews.authorization.k8s.io",
  "localsubjectaccessreviews.authorization.k8s.io",
  "selfsubjectrulesreviews.authorization.k8s.io",
  "events",
  "events.events.k8s.io",
]);

const EVALUATORS: Readonly<Record<string, Evaluator>> = { pods, services, persistentvolumeclaims: volumeClaims };

/** Counted under the bare name too. */
const ALIASES = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

const CLAIMS = "resourceclaims.resource.k8s.io";

function evaluatorOf(lookup: ObjectLookup, attributes: AdmissionAttributes): Evaluator | Promise<Evaluator> {
  const name = formatGroupResource(attributes.resource), { object, oldObject, namespace } = attributes;
  if (Object.hasOwn(EVALUATORS, name)) return EVALUATORS[name];
  if (name === CLAIMS) {
    const claims = [object, oldObject].filter((claim): claim is KubeObject => claim !== undefined);
    return resourceClaims(lookup, claims, namespace);
  }
  const count = countName(attributes.resource);
  return ALIASES.has(name) ? counting(count, name) : counting(count);
}

function limitedResources(configuration: PluginContext["configuration"]): LimitedResource[] {
  const { limitedResources = [] } = readConfiguration<{ limitedResources?: LimitedResource[] }>(configuration, {
    kinds: {
      "apiserver.config.k8s.io/v1": "ResourceQuotaConfiguration",
      "resourcequota.admission.k8s.io/v1beta1": "Configuration",
      "resourcequota.admission.k8s.io/v1alpha1": "Configuration",
    },
    fields: ["limitedResources"],
  }) ?? {};
  const wrong = limitedResources.findIndex(({ resource }) => !resource);
  if (wrong >= 0) throw new Error(`limitedResources[${wrong}].resource: Required value`);
  return limitedResources;
}

export function resourceQuota(context: PluginContext): AdmissionPlugin {
  const { lookup } = context, limited = limitedResources(context.configuration);
  const reservations = new Reservations(context, limited);

  async function reserve(attributes: AdmissionAttributes): Promise<void> {
    const evaluator = await evaluatorOf(lookup, attributes);
    if (evaluator.handles(attributes)) await reservations.reserve(attributes, evaluator);
  }

  return {
    name: "ResourceQuota",
    handles: on("CREATE", "UPDATE"),
    looksAt({ namespace, resource, kind, operation }) {
      const makesNamespace = operation === "CREATE" && kind.kind === "Namespace" && kind.group === "";
      return namespace !== "" && !makesNamespace && !IGNORED.has(formatGroupResource(resource));
    },
    validate(attributes) {
      if (limited.length > 0) return reserve(attributes);
      const quotas = reservations.quotasOf(attributes.namespace);
      if (quotas instanceof Promise) return quotas.then((found) => found.length > 0 ? reserve(attributes) : undefined);
      // Nearly every namespace goes without.
      if (quotas.length > 0) return reserve(attributes);
    },
  };
}
