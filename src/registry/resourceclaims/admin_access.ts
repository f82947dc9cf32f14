// Claims that ask for access to devices others use are only for namespaces that an administrator has marked (KEP-5018).
import type { ResourceClaimSpec, ResourceClaimStatus } from "../../facts/generated/types.ts";
import { StatusError } from "../../machinery/errors.ts";
import type { FieldError } from "../../machinery/field_error.ts";
import { collect, type Field } from "../../machinery/validation/mod.ts";
import type { BuiltinResources } from "../builtin.ts";
import type { RequestContext } from "../../apis/context.ts";
import { objectOf } from "../rest.ts";

const LABEL = "resource.kubernetes.io/admin-access";

export async function adminAccessOfSpec(
  resources: BuiltinResources,
  context: RequestContext,
  spec: ResourceClaimSpec | undefined,
): Promise<FieldError[]> {
  const index = (spec?.devices?.requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true);
  if (index < 0) return [];
  const why = await reason(resources, context);
  return collect((root) => why?.(root.child("spec").child("devices", "requests").index(index).child("adminAccess")));
}

/** What was granted once is not asked about again. */
export async function adminAccessOfStatus(
  resources: BuiltinResources,
  context: RequestContext,
  status: ResourceClaimStatus,
  before: ResourceClaimStatus,
): Promise<FieldError[]> {
  const indexIn = ({ allocation }: ResourceClaimStatus) =>
    (allocation?.devices?.results ?? []).findIndex(({ adminAccess }) => adminAccess === true);
  const index = indexIn(status);
  if (index < 0 || indexIn(before) >= 0) return [];
  const why = await reason(resources, context);
  return collect((root) =>
    why?.(root.child("status").child("allocation").child("devices", "results").index(index).child("adminAccess"))
  );
}

/** Undefined where admin access may be had. */
async function reason(
  resources: BuiltinResources,
  context: RequestContext,
): Promise<((at: Field) => void) | undefined> {
  try {
    const namespaces = resources.store("", "namespaces");
    const namespace = objectOf(await namespaces.get({ ...context, namespace: "" }, context.namespace, {}));
    if (namespace.metadata.labels?.[LABEL] === "true") return undefined;
  } catch (e) {
    if (!(e instanceof StatusError)) throw e;
    return (at) => at.internal(`could not retrieve namespace to verify admin access: ${e.message}`);
  }
  return (at) =>
    at.forbidden(`admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`);
}
