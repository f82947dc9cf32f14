// Nobody lets a policy read for him what he may not read himself: the kind of parameters of a policy, the parameters that a
// binding refers to.
import type { UserInfo } from "../../authentication/interface.ts";
import { SYSTEM_MASTERS } from "../../authentication/interface.ts";
import type { AuthorizationAttributes, Authorizer } from "../../authorization/interface.ts";
import type { ParamKind, ParamRef } from "../../facts/generated/types.ts";
import { invalidError } from "../../machinery/errors.ts";
import { type FieldError, forbidden, path } from "../../machinery/field_error.ts";
import { goFormat } from "../../machinery/go_text.ts";
import { type GroupResource, type KubeObject, parseApiVersion } from "../../machinery/types.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { BuiltinResources } from "../builtin.ts";
import type { Finish, StoreHooks } from "../config.ts";
import type { RequestContext } from "../../apis/context.ts";
import { getIfThere } from "../rest.ts";

export interface ParamAccessOptions {
  authorizer: Authorizer;
  /** What serves a kind, custom resources included; undefined when nobody does. */
  resourceOf(apiVersion: string, kind: string): GroupResource | undefined;
}

const GROUP = "admissionregistration.k8s.io";
const NOTHING: Finish = () => {};

/** Undefined when all is well. */
type Check = (context: RequestContext, object: KubeObject, old?: KubeObject) => Promise<FieldError | undefined>;

/** Hooks of the policies and bindings of both kinds. */
export function paramAccessHooks(
  options: ParamAccessOptions,
): Record<string, (resources: BuiltinResources) => StoreHooks> {
  const hooks: Record<string, (resources: BuiltinResources) => StoreHooks> = {};
  for (const kind of ["validating", "mutating"]) {
    const policies = `${kind}admissionpolicies`, bindings = `${kind}admissionpolicybindings`;
    hooks[`${policies}.${GROUP}`] = (resources) => hooksOf(resources, policies, policyCheck(options));
    hooks[`${bindings}.${GROUP}`] = (resources) =>
      hooksOf(resources, bindings, bindingCheck(options, resources, policies));
  }
  return hooks;
}

/** What is wrong with the object otherwise is told first. */
function hooksOf(resources: BuiltinResources, resource: string, check: Check): StoreHooks {
  async function refuse(context: RequestContext, object: KubeObject, old?: KubeObject): Promise<FieldError[]> {
    if (context.user.groups.includes(SYSTEM_MASTERS)) return [];
    const problem = await check(context, object, old);
    if (problem === undefined) return [];
    const { definition } = resources.store(GROUP, resource).config;
    const others = old === undefined
      ? definition.validate?.(object, context)
      : definition.validateUpdate?.(object, old, context);
    return others?.length ? [] : [problem];
  }
  return {
    refusals: (context, object) => refuse(context, object),
    async beginUpdate(context, object, old) {
      const problems = await refuse(context, object, old);
      if (problems.length === 0) return NOTHING;
      throw invalidError(resources.store(GROUP, resource).config.gvk, object.metadata.name ?? "", problems);
    },
  };
}

function policyCheck({ authorizer, resourceOf }: ParamAccessOptions): Check {
  return async ({ user }, { spec }, old) => {
    const kind: ParamKind | undefined = spec?.paramKind;
    if (!kind || old !== undefined && deepEqual(old.spec?.paramKind, kind)) return undefined;
    const attributes = { ...attributesOf(user, kind, resourceOf), verb: "get", name: "*", namespace: "*" };
    const { decision } = await authorizer.authorize(attributes);
    if (decision === "allow") return undefined;
    return forbidden(
      path("spec", "paramKind"),
      `user ${userText(user)} must have "get" permission on all objects of the referenced paramKind ` +
        `(kind=${kind.kind}, apiVersion=${kind.apiVersion})`,
    );
  };
}

function bindingCheck(
  { authorizer, resourceOf }: ParamAccessOptions,
  resources: BuiltinResources,
  policies: string,
): Check {
  return async (context, { spec }) => {
    const ref: ParamRef | undefined = spec?.paramRef, { user } = context, policyName: string = spec?.policyName ?? "";
    if (!ref) return undefined;
    const policy = await getIfThere(resources.store(GROUP, policies), context, policyName);
    const kind: ParamKind | undefined = policy?.spec?.paramKind, verb = ref.name ? "get" : "list";
    const attributes = attributesOf(user, kind, resourceOf);
    const { decision } = await authorizer.authorize({
      ...attributes,
      verb,
      name: ref.name ?? "",
      namespace: ref.namespace ?? "",
    });
    if (decision === "allow") return undefined;
    const who = userText(user), lacks = `user ${who} does not have "${verb}" permission`;
    // For mutating policies the real server takes verb and user for each other.
    const told = policies.startsWith("mutating") ? `user ${verb} does not have "${who}" permission` : lacks;
    let why = `${told} on the object referenced by paramRef`;
    if (policy === undefined) why = unknown(`get policy ${policyName}`, lacks);
    else if (kind && attributes.resource === "*") {
      why = unknown(`resolve paramKind &{${kind.apiVersion} ${kind.kind}}`, lacks);
    }
    return forbidden(path("spec", "paramRef"), why);
  };
}

function unknown(what: string, lacks: string): string {
  return `unable to ${what} to determine minimum required permissions and ${lacks} for all groups, versions and resources`;
}

/** Of whatever cannot be found out, everything. */
function attributesOf(
  user: UserInfo,
  kind: ParamKind | undefined,
  resourceOf: ParamAccessOptions["resourceOf"],
): Omit<AuthorizationAttributes, "verb" | "name" | "namespace"> {
  const { apiVersion = "", kind: name = "" } = kind ?? {};
  const gv = kind && parseApiVersion(apiVersion);
  return {
    user,
    isResourceRequest: true,
    apiGroup: gv ? gv.group : "*",
    apiVersion: gv ? gv.version : "*",
    resource: gv && resourceOf(apiVersion, name)?.resource || "*",
    subresource: "",
    path: "",
  };
}

/** A user as Go prints it. */
function userText({ name, uid, groups, extra }: UserInfo): string {
  return `&{${name} ${uid} ${goFormat(groups)} ${goFormat(extra)}}`;
}
