// SelfSubjectRulesReview: everything that I may do in a namespace.
import type { RuleResolver } from "../../authorization/interface.ts";
import { badRequestError } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { CreateOptions, ResourceStorage, Result } from "../rest.ts";

const KIND = { group: "authorization.k8s.io", version: "v1", kind: "SelfSubjectRulesReview" };

export function selfSubjectRulesReviews(resolver: RuleResolver): ResourceStorage {
  return {
    kind: KIND,
    async create(context: RequestContext, _name: string, object: KubeObject, options: CreateOptions): Promise<Result> {
      const namespace: string = object.spec?.namespace ?? "";
      if (namespace === "") throw badRequestError("no namespace on request");
      await options.validate?.(object);
      const { resourceRules, nonResourceRules, incomplete, error } = await resolver.rulesFor(context.user, namespace);
      return {
        object: {
          kind: KIND.kind,
          apiVersion: `${KIND.group}/${KIND.version}`,
          metadata: {},
          spec: {},
          status: { resourceRules, nonResourceRules, incomplete, ...error && { evaluationError: error.message } },
        },
      };
    },
  };
}
