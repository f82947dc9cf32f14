// serviceaccounts/token: a token for a service account, bound to a pod, a secret or a node if wanted (KEP-1205).
import { type TokenRequestObject, validateTokenRequest } from "../../apis/authentication/tokenrequest.ts";
import type { BoundObjectReference } from "../../facts/generated/types.ts";
import type { TokenIssuer } from "../../authentication/service_accounts/issuer.ts";
import type { BoundClaims, ObjectReference } from "../../authentication/service_accounts/claims.ts";
import { serviceAccountUserName } from "../../authentication/service_account_names.ts";
import { badRequestError, conflictError, invalidError } from "../../machinery/errors.ts";
import { invalid, path } from "../../machinery/field_error.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { formatTime } from "../../machinery/time.ts";
import { type KubeObject, parseApiVersion } from "../../machinery/types.ts";
import type { BuiltinResources } from "../builtin.ts";
import type { RequestContext } from "../../apis/context.ts";
import { type CreateOptions, getIfThere, objectOf, type ResourceStorage, type Result } from "../rest.ts";
import type { Store } from "../store.ts";

const KIND = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" };
/** What the ServiceAccount admission plugin asks for: such tokens are extended. */
const INJECTED_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;
const CREDENTIAL_ANNOTATION = "authentication.kubernetes.io/issued-credential-id";

export interface TokenStorageOptions {
  issue: TokenIssuer;
  /** --api-audiences: what tokens are for unless the request says otherwise. */
  audiences: readonly string[];
  /** Seconds; 0: no limit. */
  maxExpiration: number;
  /** Tokens that pods get injected live a year. */
  extendExpiration: boolean;
}

/** @param accounts the Store of service accounts */
export function tokenStorage(
  accounts: Store,
  resources: BuiltinResources,
  options: TokenStorageOptions,
): ResourceStorage {
  return {
    kind: KIND,
    async create(context: RequestContext, name: string, object: KubeObject, create: CreateOptions): Promise<Result> {
      const request = object as TokenRequestObject;
      checkNames(request, name, context.namespace);
      const account = objectOf(await accounts.get(context, name, {}));
      const issued = Date.now();
      complete(request, account, options.audiences, issued);
      const errors = validateTokenRequest(request);
      if (errors.length > 0) throw invalidError(KIND, "", errors);
      await create.validate?.(structuredClone(request));
      const bound = await boundObjects(resources, context, name, request.spec?.boundObjectRef);
      limitExpiration(request, options.maxExpiration, context);
      request.status = {
        token: await issue(request, account, { bound, issued, context }),
        expirationTimestamp: formatTime(issued + request.spec!.expirationSeconds! * 1000),
      };
      return { object: request };
    },
  };

  async function issue({ spec }: TokenRequestObject, account: KubeObject, { bound, issued, context }: Issue) {
    const { name = "", namespace = "", uid = "" } = account.metadata;
    const audiences = spec!.audiences ?? [], expirationSeconds = spec!.expirationSeconds ?? 0;
    const extended = options.extendExpiration && bound.pod !== undefined && expirationSeconds === INJECTED_SECONDS &&
      audiences.every((audience) => options.audiences.includes(audience));
    const now = Math.floor(issued / 1000), id = crypto.randomUUID();
    context.addAuditAnnotation(CREDENTIAL_ANNOTATION, `JTI=${id}`);
    return await options.issue({
      aud: audiences,
      exp: now + (extended ? EXTENDED_SECONDS : expirationSeconds),
      iat: now,
      jti: id,
      "kubernetes.io": {
        namespace,
        ...bound,
        serviceaccount: { name, uid },
        ...extended && { warnafter: now + expirationSeconds },
      },
      nbf: now,
      sub: serviceAccountUserName(namespace, name),
    });
  }
}

interface Issue {
  bound: BoundClaims;
  /** Milliseconds. */
  issued: number;
  context: RequestContext;
}

/** Throws 422 when the request speaks of another account than its path. */
function checkNames({ metadata }: TokenRequestObject, name: string, namespace: string): void {
  for (const [field, wanted] of [["name", name], ["namespace", namespace]] as const) {
    const said = metadata[field];
    if (!said || said === wanted) continue;
    const why = `must match the service account ${field} if specified`;
    throw invalidError(KIND, name, [invalid(path("metadata", field), said, why)]);
  }
}

/** Fills in what follows from the account. Throws 409 when the request is about an account that was here before. */
function complete(
  request: TokenRequestObject,
  account: KubeObject,
  audiences: readonly string[],
  now: number,
): void {
  const { metadata } = request, { name, namespace, uid = "" } = account.metadata;
  if (metadata.uid && metadata.uid !== uid) {
    const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
    throw conflictError({ group: KIND.group, resource: KIND.kind }, name!, why);
  }
  request.spec ??= {};
  if (!request.spec.audiences?.length) request.spec.audiences = [...audiences];
  Object.assign(metadata, { name, namespace, uid, creationTimestamp: formatTime(now) });
  delete request.status;
}

/** What the token dies with. Throws a StatusError when it cannot be bound to that. */
async function boundObjects(
  resources: BuiltinResources,
  context: RequestContext,
  account: string,
  reference: BoundObjectReference | null | undefined,
): Promise<BoundClaims> {
  if (!reference) return {};
  const { apiVersion = "", kind = "", name = "", uid } = reference;
  const gv = parseApiVersion(apiVersion) ?? { group: "", version: "" };
  const get = async (resource: string, namespace: string) =>
    objectOf(await resources.store("", resource).get({ ...context, namespace }, name, {}));
  const checked = (object: KubeObject): ObjectReference => {
    if (uid && object.metadata.uid !== uid) throw recreated(kind, name, uid);
    return { name: object.metadata.name, uid: object.metadata.uid };
  };
  switch (gv.group === "" ? kind : undefined) {
    case "Pod": {
      const pod = await get("pods", context.namespace);
      if (pod.spec?.serviceAccountName !== account) {
        throw badRequestError(
          `cannot bind token for serviceaccount ${goQuote(account)} to pod running with different serviceaccount name.`,
        );
      }
      const node = await nodeOf(resources, context, pod);
      return { ...node && { node }, pod: checked(pod) };
    }
    case "Node":
      return { node: checked(await get("nodes", "")) };
    case "Secret":
      return { secret: checked(await get("secrets", context.namespace)) };
    default:
      throw badRequestError(`cannot bind token to object of type ${gv.group}/${gv.version}, Kind=${kind}`);
  }
}

function recreated(kind: string, name: string, uid: string) {
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record. ` +
    "The object might have been deleted and then recreated";
  return conflictError({ group: "", resource: kind }, name, why);
}

/** The node that a pod is on; by name alone when there is no such node. */
async function nodeOf(
  resources: BuiltinResources,
  context: RequestContext,
  pod: KubeObject,
): Promise<ObjectReference | undefined> {
  const name: string = pod.spec?.nodeName ?? "";
  if (name === "") return undefined;
  const node = await getIfThere(resources.store("", "nodes"), { ...context, namespace: "" }, name);
  return { name, uid: node?.metadata.uid };
}

function limitExpiration({ spec }: TokenRequestObject, longest: number, context: RequestContext): void {
  const wanted = spec!.expirationSeconds!;
  if (longest <= 0 || wanted <= longest) return;
  context.addWarning(`requested expiration of ${wanted} seconds shortened to ${longest} seconds`);
  spec!.expirationSeconds = longest;
}
