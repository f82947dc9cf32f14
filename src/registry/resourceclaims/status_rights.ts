// Who may write which part of a claim's status: to allocate is the scheduler's, a device's state its driver's, as rights
// on subresources that nothing serves (KEP-4381, "granular status authorization").
import type { AllocatedDeviceStatus, AllocationResult, ResourceClaimStatus } from "../../facts/generated/types.ts";
import { forbiddenStatus } from "../../authorization/forbidden.ts";
import type { AuthorizationAttributes, Authorizer } from "../../authorization/interface.ts";
import type { FieldError } from "../../machinery/field_error.ts";
import { collect, deepEqual } from "../../machinery/validation/mod.ts";
import type { RequestContext } from "../../apis/context.ts";

const NODE_NAME = "authentication.kubernetes.io/node-name";
const ACCOUNT_PREFIX = "system:serviceaccount:";

export async function statusRights(
  authorizer: Authorizer,
  context: RequestContext,
  status: ResourceClaimStatus,
  before: ResourceClaimStatus,
): Promise<FieldError[]> {
  const { verb } = context, problems: { member: string; why: string }[] = [];
  const binds = !deepEqual(status.allocation, before.allocation) || !deepEqual(status.reservedFor, before.reservedFor);
  if (binds) {
    const why = await refusalOf(authorizer, context, { verb, subresource: "binding", namespace: "", name: "" });
    if (why !== undefined) {
      const wanted = `resource="resourceclaims/binding", verb="${verb}"`;
      problems.push({
        member: "allocation",
        why: `changing status.allocation or status.reservedFor requires ${wanted} permission: ${why}`,
      });
    }
  }
  // What drivers say is dropped with the allocation.
  const drivers = status.allocation ? changedDrivers(status.devices ?? [], before.devices ?? []) : [];
  const ways = isOnNode(context, status.allocation) ? ["associated-node", "arbitrary-node"] : ["arbitrary-node"];
  const verbs = ways.map((way) => `${way}:${verb}`);
  for (const name of drivers) {
    const why = await refusalOfAll(authorizer, context, verbs, name);
    if (why === undefined) continue;
    const wanted = `resource="resourceclaims/driver", verb="[${verbs.join(" ")}]"`;
    problems.push({ member: "devices", why: `changing status.devices requires ${wanted} permission: ${why}` });
  }
  return collect((root) => {
    for (const { member, why } of problems) root.child("status").child(member).forbidden(why);
  });
}

type Wanted = Pick<AuthorizationAttributes, "verb" | "subresource" | "namespace" | "name">;

/** Undefined when it is allowed. */
async function refusalOf(
  authorizer: Authorizer,
  { user }: RequestContext,
  wanted: Wanted,
): Promise<string | undefined> {
  const attributes: AuthorizationAttributes = {
    ...wanted,
    user,
    isResourceRequest: true,
    apiGroup: "resource.k8s.io",
    apiVersion: "v1",
    resource: "resourceclaims",
    path: "",
  };
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision === "allow") return undefined;
  const why = error === undefined ? reason : reason === "" ? error : `${error}: ${reason}`;
  return forbiddenStatus(attributes, why).message;
}

/** Any of the verbs will do; undefined when one is allowed, else the refusal of the first. */
async function refusalOfAll(
  authorizer: Authorizer,
  context: RequestContext,
  verbs: readonly string[],
  driver: string,
): Promise<string | undefined> {
  let first: string | undefined;
  for (const verb of verbs) {
    const wanted = { verb, subresource: "driver", namespace: context.namespace, name: driver };
    const why = await refusalOf(authorizer, context, wanted);
    if (why === undefined) return undefined;
    first ??= why;
  }
  return first;
}

/** Drivers of devices whose state was added, changed or dropped, sorted. */
function changedDrivers(devices: readonly AllocatedDeviceStatus[], before: readonly AllocatedDeviceStatus[]): string[] {
  const known = new Map(before.map((device) => [keyOf(device), device])), drivers = new Set<string>();
  for (const device of devices) {
    const key = keyOf(device), old = known.get(key);
    known.delete(key);
    if (old === undefined || !deepEqual(old, device)) drivers.add(device.driver ?? "");
  }
  for (const { driver = "" } of known.values()) drivers.add(driver);
  return [...drivers].sort();
}

function keyOf({ driver, pool, device, shareID }: AllocatedDeviceStatus): string {
  return JSON.stringify([driver, pool, device, shareID]);
}

/** Whether a service account is on the one node that the devices are on. */
function isOnNode({ user }: RequestContext, allocation: AllocationResult | undefined): boolean {
  const node = nodeOf(allocation), names = user.extra[NODE_NAME] ?? [];
  return node !== undefined && user.name.startsWith(ACCOUNT_PREFIX) && names.length === 1 && names[0] === node;
}

function nodeOf(allocation: AllocationResult | undefined): string | undefined {
  const terms = allocation?.nodeSelector?.nodeSelectorTerms ?? [], [term] = terms;
  if (terms.length !== 1 || term.matchExpressions?.length || term.matchFields?.length !== 1) return undefined;
  const [{ key, operator, values = [] }] = term.matchFields;
  return key === "metadata.name" && operator === "In" && values.length === 1 ? values[0] : undefined;
}
