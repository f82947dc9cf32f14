// What expressions ask about access. Authorizers may need time and expressions have none: an answer that is not known yet
// ends the evaluation, which starts again once it is.
import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from "../../authorization/interface.ts";
import type { UserInfo } from "../../authentication/interface.ts";
import type { AccessDecision, AccessQuestion } from "../../machinery/cel/libraries/authorizer.ts";

class Pending extends Error {
  constructor(readonly answered: Promise<void>) {
    super("the authorizer has not answered yet");
  }
}

/** The answers for one request; each question is asked once. */
export class RequestAccess {
  readonly #answers = new Map<string, AccessDecision>();

  constructor(readonly authorizer: Authorizer, readonly user: UserInfo) {}

  /** For the expression's authorizer; see {@link answered}. */
  readonly decide = (question: AccessQuestion): AccessDecision => {
    const key = JSON.stringify(question), known = this.#answers.get(key);
    if (known !== undefined) return known;
    const take = (result: AuthorizationResult) => {
      const decision = { allowed: result.decision === "allow", reason: result.reason, error: result.error };
      this.#answers.set(key, decision);
      return decision;
    };
    const result = this.authorizer.authorize(attributesOf(question, this.user));
    if (!(result instanceof Promise)) return take(result);
    throw new Pending(result.then((later) => void take(later)));
  };
}

/** Evaluates until every answer that it needs is known. */
export async function answered<T>(evaluate: () => T): Promise<T> {
  while (true) {
    try {
      return evaluate();
    } catch (e) {
      if (!(e instanceof Pending)) throw e;
      await e.answered;
    }
  }
}

function attributesOf(
  { verb, path, resource, serviceAccount }: AccessQuestion,
  user: UserInfo,
): AuthorizationAttributes {
  return {
    user: serviceAccount ? accountUser(serviceAccount) : user,
    verb,
    isResourceRequest: resource !== undefined,
    namespace: resource?.namespace ?? "",
    apiGroup: resource?.group ?? "",
    apiVersion: resource ? "*" : "",
    resource: resource?.resource ?? "",
    subresource: resource?.subresource ?? "",
    name: resource?.name ?? "",
    path: path ?? "",
    ...(resource?.fieldSelector ? { fieldSelector: resource.fieldSelector } : {}),
    ...(resource?.labelSelector ? { labelSelector: resource.labelSelector } : {}),
  };
}

function accountUser({ namespace, name }: { namespace: string; name: string }): UserInfo {
  const all = "system:serviceaccounts";
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid: "",
    groups: [all, `${all}:${namespace}`, "system:authenticated"],
    extra: {},
  };
}
