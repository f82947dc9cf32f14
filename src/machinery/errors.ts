// Status errors: every refusal of the API is one of these (API conventions, "response status kind").
import { aggregate, errorBody, type FieldError } from "./field_error.ts";
import { goQuote } from "./go_text.ts";
import { formatGroupResource, type GroupKind, type GroupResource, type JsonObject } from "./types.ts";

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** The Status object as it is written. */
export interface Status {
  kind: "Status";
  apiVersion: "v1";
  metadata: JsonObject;
  status?: "Failure" | "Success";
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** An error that is answered as it is; anything else that is thrown becomes a 500. */
export class StatusError extends Error {
  constructor(readonly status: Status) {
    super(status.message);
    this.name = "StatusError";
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? "";
  }
}

function fail(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  const status: Status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message };
  if (reason !== "") status.reason = reason;
  if (details) status.details = details;
  status.code = code;
  return new StatusError(status);
}

function naming(gr: GroupResource, name: string): StatusDetails {
  const details: StatusDetails = {};
  if (name !== "") details.name = name;
  if (gr.group !== "") details.group = gr.group;
  if (gr.resource !== "") details.kind = gr.resource;
  return details;
}

export function notFoundError(gr: GroupResource, name: string): StatusError {
  return fail(404, "NotFound", `${formatGroupResource(gr)} ${goQuote(name)} not found`, naming(gr, name));
}

/** Nothing is served at this path. */
export function pathNotFoundError(): StatusError {
  return fail(404, "NotFound", "the server could not find the requested resource", {});
}

export function alreadyExistsError(gr: GroupResource, name: string): StatusError {
  return fail(409, "AlreadyExists", `${formatGroupResource(gr)} ${goQuote(name)} already exists`, naming(gr, name));
}

export function generateNameConflictError(gr: GroupResource, name: string): StatusError {
  return fail(
    409,
    "AlreadyExists",
    `${formatGroupResource(gr)} ${
      goQuote(name)
    } already exists, the server was not able to generate a unique name for the object`,
    naming(gr, name),
  );
}

export function conflictError(gr: GroupResource, name: string, why: string): StatusError {
  return fail(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${formatGroupResource(gr)} ${goQuote(name)}: ${why}`,
    naming(gr, name),
  );
}

/** What an update with an old resourceVersion is told. */
export const OPTIMISTIC_LOCK_MESSAGE =
  "the object has been modified; please apply your changes to the latest version and try again";

export function invalidError(gk: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const details: StatusDetails = {};
  if (name !== "") details.name = name;
  if (gk.group !== "") details.group = gk.group;
  if (gk.kind !== "") details.kind = gk.kind;
  if (errors.length > 0) {
    details.causes = errors.map((e) => ({ reason: e.type, message: errorBody(e), field: e.field }));
  }
  const kind = gk.group === "" ? gk.kind : `${gk.kind}.${gk.group}`;
  const message = errors.length === 0
    ? `${kind} ${goQuote(name)} is invalid`
    : `${kind} ${goQuote(name)} is invalid: ${aggregate(errors)}`;
  return fail(422, "Invalid", message, details);
}

export function forbiddenError(gr: GroupResource, name: string, why: string): StatusError {
  const of = formatGroupResource(gr);
  const message = of === ""
    ? `forbidden: ${why}`
    : name === ""
    ? `${of} is forbidden: ${why}`
    : `${of} ${goQuote(name)} is forbidden: ${why}`;
  return fail(403, "Forbidden", message, naming(gr, name));
}

export function badRequestError(message: string): StatusError {
  return fail(400, "BadRequest", message);
}

export function unauthorizedError(message = "Unauthorized"): StatusError {
  return fail(401, "Unauthorized", message);
}

export function methodNotAllowedError(
  message = "the server does not allow this method on the requested resource",
): StatusError {
  return fail(405, "MethodNotAllowed", message, {});
}

/** An action the resource knows nothing of, told by the registry. */
export function methodNotSupportedError(gr: GroupResource, action: string): StatusError {
  return fail(
    405,
    "MethodNotAllowed",
    `${action} is not supported on resources of kind "${formatGroupResource(gr)}"`,
    naming(gr, ""),
  );
}

/** A revision that has been compacted; `continueToken` lets a paged list go on inconsistently. */
export function expiredError(message: string): StatusError {
  return fail(410, "Expired", message);
}

export function requestEntityTooLargeError(message: string): StatusError {
  return fail(413, "RequestEntityTooLarge", `Request entity too large: ${message}`);
}

export function unsupportedMediaTypeError(message: string): StatusError {
  return fail(415, "UnsupportedMediaType", message);
}

export function notAcceptableError(message: string): StatusError {
  return fail(406, "NotAcceptable", message);
}

export function timeoutError(message: string, retryAfterSeconds: number): StatusError {
  const details: StatusDetails = retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
  return fail(504, "Timeout", `Timeout: ${message}`, details);
}

export function tooManyRequestsError(message: string, retryAfterSeconds: number): StatusError {
  return fail(429, "TooManyRequests", message, retryAfterSeconds > 0 ? { retryAfterSeconds } : {});
}

export function serviceUnavailableError(message: string): StatusError {
  return fail(503, "ServiceUnavailable", message);
}

/** `Too large resource version`: the caller is ahead of the server. */
export function tooLargeResourceVersionError(wanted: number, current: number, retryAfterSeconds: number): StatusError {
  return fail(504, "Timeout", `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds,
  });
}

export function serverTimeoutError(gr: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
  const details = naming(gr, operation);
  if (retryAfterSeconds > 0) details.retryAfterSeconds = retryAfterSeconds;
  return fail(
    500,
    "ServerTimeout",
    `The ${operation} operation against ${
      formatGroupResource(gr)
    } could not be completed at this time, please try again.`,
    details,
  );
}

/** A 500 in the server's own words. */
export function internalError(message: string): StatusError {
  return fail(500, "InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** A 500 without a reason: how the real server answers errors that it did not expect. */
export function unknownError(message: string): StatusError {
  return fail(500, "", message);
}

/** A status of any code, reason and message, for the rare ones. */
export function statusError(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  return fail(code, reason, message, details);
}

/** Whether `e` is a StatusError with this reason. */
export function hasReason(e: unknown, reason: string): e is StatusError {
  return e instanceof StatusError && e.reason === reason;
}
