// Several ways of authenticating as one: asked in order until one of them knows somebody.
import { AggregateFailure } from "../machinery/aggregate_error.ts";
import type { AuthenticationResponse, Authenticator, TokenAuthenticator } from "./interface.ts";

type Answer = AuthenticationResponse | undefined;

/** Errors of some are told only when no other knows anybody. */
export function requestUnion(authenticators: readonly Authenticator[]): Authenticator {
  return {
    authenticateRequest: (request) =>
      firstKnown(authenticators.length, (i) => authenticators[i].authenticateRequest(request)),
  };
}

/** The same for tokens. */
export function tokenUnion(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  return {
    authenticateToken: (token, audiences) =>
      firstKnown(authenticators.length, (i) => authenticators[i].authenticateToken(token, audiences)),
  };
}

/** Without a promise as long as those asked answer without one. */
function firstKnown(count: number, ask: (i: number) => Answer | Promise<Answer>): Answer | Promise<Answer> {
  let errors: unknown[] | undefined;
  for (let i = 0; i < count; i++) {
    try {
      const answer = ask(i);
      if (answer instanceof Promise) return restKnown(count, ask, { from: i, first: answer, errors: errors ?? [] });
      if (answer !== undefined) return answer;
    } catch (e) {
      (errors ??= []).push(e);
    }
  }
  if (errors !== undefined) throw combined(errors);
  return undefined;
}

async function restKnown(
  count: number,
  ask: (i: number) => Answer | Promise<Answer>,
  { from, first, errors }: { from: number; first: Promise<Answer>; errors: unknown[] },
): Promise<Answer> {
  for (let i = from; i < count; i++) {
    try {
      const answer = await (i === from ? first : ask(i));
      if (answer !== undefined) return answer;
    } catch (e) {
      errors.push(e);
    }
  }
  if (errors.length > 0) throw combined(errors);
  return undefined;
}

/** An error alone is thrown as it is. */
function combined(errors: readonly unknown[]): unknown {
  return errors.length === 1 ? errors[0] : new AggregateFailure(errors);
}
