// How calls of webhooks end when they do not end well.
import { badRequestError, internalError, type Status, type StatusError, statusError } from "../../machinery/errors.ts";
import { goQuote } from "../../machinery/go_text.ts";

/** The webhook was not reached or gave no usable answer: what is done about it is up to its failure policy. */
export class CallError extends Error {
  /** @param code of the HTTP answer, for metrics */
  constructor(webhook: string, why: string, readonly code: number) {
    super(`failed calling webhook ${goQuote(webhook)}: ${why}`);
    this.name = "CallError";
  }

  /** What the client is told under the policy Fail. */
  toStatus(): StatusError {
    return internalError(this.message);
  }
}

/** What the client is told when the webhook said no; a Status of its own is passed on. */
export function denial(webhook: string, result: Partial<Status> | null | undefined): StatusError {
  const denied = `admission webhook ${goQuote(webhook)} denied the request`;
  const { message = "", reason = "", code = 0, details } = result ?? {};
  const text = message !== ""
    ? `${denied}: ${message}`
    : reason !== ""
    ? `${denied}: ${reason}`
    : `${denied} without explanation`;
  return statusError(code < 400 ? 400 : code, reason, text, details);
}

export function dryRunUnsupported(webhook: string): StatusError {
  return badRequestError(`admission webhook ${goQuote(webhook)} does not support dry run`);
}
