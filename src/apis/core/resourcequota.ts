// Resource quotas: how much all objects of a namespace may ask for together, and how many there may be.
import { compareQuantities } from "../../machinery/quantity.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { ResourceQuota, ResourceQuotaSpec } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import {
  isQuotaResource,
  type ResourceList,
  roundResources,
  validateResourceName,
  validateResourceQuantity,
} from "./resource_names.ts";
import { lookUp } from "../../machinery/look_up.ts";

type QuotaObject = KubeObject & ResourceQuota;

const PODS = ["pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];

/** Scope → the resources of the API that it may limit. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: PODS,
  NotTerminating: PODS,
  BestEffort: ["pods"],
  NotBestEffort: PODS,
  PriorityClass: PODS,
  CrossNamespacePodAffinity: PODS,
  VolumeAttributesClass: ["persistentvolumeclaims", "requests.storage"],
};
/** Scopes that are either there or not: nothing can be compared with them. */
const WITHOUT_VALUES = ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"];
const CONFLICTS = [["BestEffort", "NotBestEffort"], ["Terminating", "NotTerminating"]];
const EXISTS_ONLY = "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, " +
  "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or " +
  "ResourceQuotaScopeCrossNamespacePodAffinity";

function checkList(list: ResourceList | undefined, at: Field): void {
  for (const [name, quantity] of Object.entries(list ?? {})) {
    const field = at.key(name);
    validateResourceName(name, field);
    if (!name.includes("/") && !isQuotaResource(name)) field.invalid(name, "must be a standard resource for quota");
    validateResourceQuantity({ name, quantity }, field);
  }
}

function checkSpec(spec: ResourceQuotaSpec, at: Field): void {
  checkList(spec.hard, at.child("hard"));
  checkScopes(spec, at.child("scopes"));
  if (spec.scopeSelector) checkScopeSelector(spec, at.child("scopeSelector", "matchExpressions"));
}

/** How many of the limited resources the scope has nothing to do with. */
function unrelated(scope: string, spec: ResourceQuotaSpec): number {
  const fits = lookUp(SCOPES, scope);
  if (fits === undefined) return 0;
  return Object.keys(spec.hard ?? {}).filter((name) => isQuotaResource(name) && !fits.includes(name)).length;
}

function checkScopes(spec: ResourceQuotaSpec, at: Field): void {
  const scopes = spec.scopes ?? [];
  for (const scope of scopes) {
    if (lookUp(SCOPES, scope) === undefined) at.invalid(scopes, "unsupported scope");
    for (let i = unrelated(scope, spec); i > 0; i--) at.invalid(scopes, "unsupported scope applied to resource");
  }
  checkConflicts(scopes, spec, at);
}

function checkConflicts(scopes: readonly string[], spec: ResourceQuotaSpec, at: Field): void {
  for (const pair of CONFLICTS) {
    if (pair.every((scope) => scopes.includes(scope))) at.invalid(spec.scopes ?? null, "conflicting scopes");
  }
}

function checkScopeSelector(spec: ResourceQuotaSpec, at: Field): void {
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  for (const { scopeName = "", operator = "", values = [] } of requirements) {
    if (lookUp(SCOPES, scopeName) === undefined) at.child("scopeName").invalid(scopeName, "unsupported scope");
    for (let i = unrelated(scopeName, spec); i > 0; i--) {
      at.invalid(internalForm("*ScopeSelector", spec.scopeSelector), "unsupported scope applied to resource");
    }
    if (WITHOUT_VALUES.includes(scopeName) && operator !== "Exists") {
      at.child("operator").invalid(operator, EXISTS_ONLY);
    }
    if (operator === "In" || operator === "NotIn") {
      if (values.length === 0) {
        at.child("values").required("must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
      }
    } else if (operator === "Exists" || operator === "DoesNotExist") {
      if (values.length > 0) {
        at.child("values").invalid(
          values,
          "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
        );
      }
    } else at.child("operator").invalid(operator, "not a valid selector operator");
  }
  checkConflicts(requirements.map((r) => r.scopeName ?? ""), spec, at);
}

function checkStatus({ status = {} }: QuotaObject, at: Field): void {
  checkList(status.hard, at.child("hard"));
  checkList(status.used, at.child("used"));
}

function sameScopes(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.every((scope) => b.includes(scope)) && b.every((scope) => a.includes(scope));
}

const COMPUTE = ["cpu", "memory", "ephemeral-storage"];

/** Requests above limits can never be used up. */
function warnings({ spec }: QuotaObject): string[] {
  const hard = spec?.hard ?? {};
  return COMPUTE.flatMap((resource) => {
    const bare = resource !== "ephemeral-storage" && !(`requests.${resource}` in hard);
    const request = bare ? resource : `requests.${resource}`, limit = `limits.${resource}`;
    if (!(request in hard) || !(limit in hard) || compareQuantities(hard[request], hard[limit]) <= 0) return [];
    return [`ResourceQuota ${request} (${hard[request]}) should be less than ${limit} (${hard[limit]})`];
  });
}

/** `cpu: 1/2, memory: 1Gi/2Gi`: what is used of what there is; limits have a column of their own. */
function usage({ status = {} }: QuotaObject, ofLimits: boolean): string {
  const { hard = {}, used = {} } = status;
  const names = Object.keys(hard).sort().filter((name) => name.startsWith("limits.") === ofLimits);
  return names.map((name) => `${name}: ${used[name] ?? "0"}/${hard[name]}`).join(", ");
}

export const resourceQuota: KindDefinition<QuotaObject> = {
  gvk: { group: "", version: "v1", kind: "ResourceQuota" },
  resource: "resourcequotas",
  returnsDeletedObject: true,
  setDefaults({ spec, status }) {
    for (const list of [spec?.hard, status?.hard, status?.used]) roundResources(list);
  },
  validate: (object) =>
    collect((root) => {
      checkSpec(object.spec ?? {}, root.child("spec"));
      checkStatus(object, root.child("status"));
    }),
  validateUpdate: ({ spec = {} }, old) =>
    collect((root) => {
      checkSpec(spec, root.child("spec"));
      if (!sameScopes(spec.scopes, old.spec?.scopes)) {
        root.child("spec", "scopes").invalid(spec.scopes ?? null, "field is immutable");
      }
    }),
  warningsOnCreate: warnings,
  columns: [
    NAME,
    text("Request", "What is used of everything but limits.", (quota) => usage(quota, false)),
    text("Limit", "What is used of limits.", (quota) => usage(quota, true)),
    AGE,
  ],
  subresources: {
    status: { validateUpdate: (object) => collect((root) => checkStatus(object, root.child("status"))) },
  },
};
