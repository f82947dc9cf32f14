// TokenReview: whose token is this, and is it good for these audiences?
import type { Authenticator } from "../../authentication/interface.ts";
import { badRequestError, internalError } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { CreateOptions, ResourceStorage, Result } from "../rest.ts";
import { userInfoOf } from "./self_subject_review.ts";

export interface TokenReviewOptions {
  /** The whole authenticator: it is asked as if the token had come with a request. */
  authenticator: Authenticator;
  /** The server's own audiences: asked for when a review names none. */
  audiences: readonly string[];
}

const NOWHERE = new URL("https://localhost/");

export function tokenReviews({ authenticator, audiences }: TokenReviewOptions): ResourceStorage {
  return {
    kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenReview" },
    async create(_context: RequestContext, _name: string, object: KubeObject, options: CreateOptions): Promise<Result> {
      const token: string = object.spec?.token ?? "";
      if (token === "") throw badRequestError("token is required for TokenReview in authentication");
      await options.validate?.(object);
      const asked: readonly string[] = object.spec.audiences?.length > 0 ? object.spec.audiences : audiences;
      object.status = await review(token, asked);
      return { object };
    },
  };

  async function review(token: string, asked: readonly string[]) {
    let found;
    try {
      found = await authenticator.authenticateRequest({
        headers: requestHeaders(token),
        url: NOWHERE,
        remoteAddress: "",
        audiences: asked.length > 0 ? asked : undefined,
      });
    } catch (e) {
      return { user: {}, error: (e as Error).message };
    }
    if (found === undefined) return { user: {} };
    if (asked.length > 0 && !found.audiences?.some((audience) => asked.includes(audience))) {
      throw internalError("error validating audiences");
    }
    return {
      authenticated: true,
      user: userInfoOf(found.user),
      ...found.audiences && found.audiences.length > 0 && { audiences: [...found.audiences] },
    };
  }
}

/** A token that no header can carry is nobody's. */
function requestHeaders(token: string): Headers {
  const headers = new Headers();
  try {
    headers.set("authorization", `Bearer ${token}`);
  } catch {
    headers.set("authorization", "Bearer invalid");
  }
  return headers;
}
