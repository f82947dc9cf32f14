// SelfSubjectReview: who am I?
import type { UserInfo } from "../../authentication/interface.ts";
import { now } from "../../machinery/time.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { CreateOptions, ResourceStorage, Result } from "../rest.ts";

const KIND = { group: "authentication.k8s.io", version: "v1", kind: "SelfSubjectReview" };

export function selfSubjectReviews(): ResourceStorage {
  return {
    kind: KIND,
    async create(context: RequestContext, _name: string, object: KubeObject, options: CreateOptions): Promise<Result> {
      await options.validate?.(object);
      return {
        object: {
          kind: KIND.kind,
          apiVersion: `${KIND.group}/${KIND.version}`,
          metadata: { creationTimestamp: now() },
          status: { userInfo: userInfoOf(context.user) },
        },
      };
    },
  };
}

/** authentication.k8s.io/v1 UserInfo. */
export function userInfoOf({ name, uid, groups, extra }: UserInfo) {
  return {
    ...name !== "" && { username: name },
    ...uid !== "" && { uid },
    ...groups.length > 0 && { groups: [...groups] },
    ...Object.keys(extra).length > 0 && { extra: { ...extra } },
  };
}
