// Tokens that TokenRequest made: good as long as their service account, and what they are bound to, are there.
import type { KubeObject } from "../../machinery/types.ts";
import { checkDate, checkObject, checkText, type Claims } from "../jwt_claims.ts";
import { type BoundClaims, checkTimes, isLongDeleted, type ObjectReference } from "./claims.ts";
import type { ObjectGetter } from "../interface.ts";
import type { TokenValidator, ValidatedAccount } from "./interface.ts";

const STALE_ANNOTATION = "authentication.k8s.io/stale-token";
const INVALIDATED = "service account token has been invalidated";

export function boundTokenValidator(getter: ObjectGetter, clock: () => number = Date.now): TokenValidator {
  return async (_token, claims) => {
    const now = clock() / 1000;
    checkTimes(claims, now);
    const { namespace, serviceaccount, secret, pod, node, warnafter } = kubernetesClaims(claims);
    await checkAccount(getter, { namespace, reference: serviceaccount, now });
    const check = (kind: Bound, reference: ObjectReference) =>
      checkBound(getter, kind, { namespace: kind === "node" ? "" : namespace, reference, now });
    if (secret !== undefined) await check("secret", secret);
    if (pod !== undefined) await check("pod", pod);
    // The node of a pod is only told; a token bound to the node itself dies with it.
    else if (node !== undefined) await check("node", node);
    const account: ValidatedAccount = {
      namespace,
      name: serviceaccount.name ?? "",
      uid: serviceaccount.uid ?? "",
      tokenId: claims.jti,
      pod,
      node,
    };
    if (warnafter) account.use = "validTokens";
    if (warnafter && now > warnafter) {
      const late = Math.floor(now) - Math.trunc(warnafter);
      const text = `subject: ${claims.sub ?? ""}, seconds after warning threshold: ${late}`;
      account.use = "staleTokens";
      account.auditAnnotations = { [STALE_ANNOTATION]: text };
    }
    return account;
  };
}

/** Null is as good as absent. Throws an Error when they are not as TokenRequest writes them. */
function kubernetesClaims(claims: Claims): BoundClaims & Required<Pick<BoundClaims, "namespace" | "serviceaccount">> {
  checkObject(claims["kubernetes.io"], "serviceaccount.kubernetes");
  const { namespace, serviceaccount, secret, pod, node, warnafter } = (claims["kubernetes.io"] ?? {}) as BoundClaims;
  checkText(namespace);
  for (const reference of [serviceaccount, pod, secret, node]) {
    checkObject(reference, "serviceaccount.ref");
    checkText(reference?.name);
    checkText(reference?.uid);
  }
  checkDate(warnafter);
  return {
    namespace: namespace ?? "",
    serviceaccount: serviceaccount ?? {},
    secret: secret ?? undefined,
    pod: pod ?? undefined,
    node: node ?? undefined,
    warnafter: warnafter ?? undefined,
  };
}

interface Target {
  namespace: string;
  reference: ObjectReference;
  now: number;
}

async function checkAccount(getter: ObjectGetter, { namespace, reference, now }: Target): Promise<void> {
  const { name = "", uid = "" } = reference;
  if (name === "") throw new Error("resource name may not be empty");
  const account = await getter("serviceaccounts", namespace, name);
  if (account === undefined) throw new Error(`serviceaccounts "${name}" not found`);
  const { metadata } = account;
  if (metadata.uid !== uid) throw new Error(`service account UID (${metadata.uid}) does not match claim (${uid})`);
  if (isLongDeleted(metadata.deletionTimestamp, now)) {
    throw new Error(`service account ${namespace}/${name} has been deleted`);
  }
}

type Bound = "secret" | "pod" | "node";

async function checkBound(getter: ObjectGetter, kind: Bound, { namespace, reference, now }: Target): Promise<void> {
  const { name = "", uid = "" } = reference;
  const object: KubeObject | undefined = name === "" ? undefined : await getter(`${kind}s`, namespace, name);
  if (object === undefined) throw new Error(INVALIDATED);
  const { metadata } = object;
  if (metadata.uid !== uid) {
    throw new Error(`${kind} UID (${metadata.uid}) does not match service account ${kind} ref claim (${uid})`);
  }
  if (isLongDeleted(metadata.deletionTimestamp, now)) throw new Error(INVALIDATED);
}
