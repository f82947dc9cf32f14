// Token webhook: somebody else says whose a token is, asked with a TokenReview (authentication.k8s.io).
import type { Webhook } from "../client/webhook.ts";
import { logError } from "../logging/mod.ts";
import { intersect } from "./audiences.ts";
import type { AuthenticationResponse, TokenAuthenticator } from "./interface.ts";

export interface TokenWebhookOptions {
  call: Webhook;
  version: "v1" | "v1beta1";
  /** The server's own audiences: what tokens are for when the webhook says nothing about it. */
  audiences: readonly string[];
}

interface ReviewStatus {
  authenticated?: boolean;
  user?: { username?: string; uid?: string; groups?: string[]; extra?: Record<string, string[]> };
  audiences?: string[];
  error?: string;
}

/** Throws what the webhook says is wrong, and a WebhookError when it does not answer. */
export function tokenWebhook({ call, version, audiences: own }: TokenWebhookOptions): TokenAuthenticator {
  return {
    async authenticateToken(token, asked): Promise<AuthenticationResponse | undefined> {
      const status = await review(token, asked);
      const audiences = asked.length === 0
        ? undefined
        : intersect(asked, status.audiences?.length ? status.audiences : own);
      if (audiences?.length === 0) return undefined;
      if (!status.authenticated) {
        if (status.error) throw new Error(status.error);
        return undefined;
      }
      const { username: name = "", uid = "", groups = [], extra = {} } = status.user ?? {};
      return { user: { name, uid, groups, extra }, audiences };
    },
  };

  async function review(token: string, audiences: readonly string[]): Promise<ReviewStatus> {
    try {
      const answer = await call({
        kind: "TokenReview",
        apiVersion: `authentication.k8s.io/${version}`,
        metadata: {},
        spec: { token, ...audiences.length > 0 && { audiences } },
        status: { user: {} },
      });
      return answer.status as ReviewStatus | undefined ?? {};
    } catch (e) {
      logError("Failed to make webhook authenticator request", e);
      throw e;
    }
  }
}
