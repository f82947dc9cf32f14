// Rules of probes and of the handlers of a container's life.
import type * as v1 from "../../../facts/generated/types.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { isHTTPHeaderName } from "../../../machinery/validation/names.ts";
import { validateNonnegative, validatePortNumberOrName } from "../../../machinery/validation/numbers.ts";

/** What a handler needs to know of the pod: its grace period in seconds. */
export interface GraceScope {
  gracePeriod: number | undefined;
}

const SCHEMES = ["HTTP", "HTTPS"];

type Handler = v1.Probe & v1.LifecycleHandler;

const HANDLER_TYPES = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] as const;

const HANDLER_CHECKS: {
  [T in typeof HANDLER_TYPES[number]]: (action: NonNullable<Handler[T]>, at: Field, scope: GraceScope) => void;
} = {
  exec(action, at) {
    if (!action.command?.length) at.child("command").required();
  },
  httpGet(action, at) {
    if (!action.path) at.child("path").required();
    validatePortNumberOrName(action.port ?? 0, at.child("port"));
    const scheme = action.scheme ?? "";
    if (!SCHEMES.includes(scheme)) at.child("scheme").notSupported(scheme, SCHEMES);
    for (const { name = "" } of action.httpHeaders ?? []) {
      at.child("httpHeaders").invalidEach(name, isHTTPHeaderName(name));
    }
  },
  tcpSocket(action, at) {
    validatePortNumberOrName(action.port ?? 0, at.child("port"));
  },
  grpc(action, at) {
    validatePortNumberOrName(action.port ?? 0, at.child("port"));
  },
  sleep(action, at, { gracePeriod }) {
    const seconds = action.seconds ?? 0;
    if (gracePeriod !== undefined && (seconds < 0 || seconds > gracePeriod)) {
      at.invalid(seconds, `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`);
    }
  },
};

function validateHandler(handler: Handler, at: Field, scope: GraceScope): void {
  let found = false;
  for (const type of HANDLER_TYPES) {
    const action = handler[type];
    if (action === undefined || action === null) continue;
    if (found) at.child(type).forbidden("may not specify more than 1 handler type");
    else HANDLER_CHECKS[type](action as never, at.child(type), scope);
    found = true;
  }
  if (!found) at.required("must specify a handler type");
}

const NUMBERS = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
] as const;

function validateProbe(probe: v1.Probe, at: Field, scope: GraceScope): void {
  validateHandler(probe, at, scope);
  for (const member of NUMBERS) validateNonnegative(probe[member], at.child(member));
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    at.child("terminationGracePeriodSeconds").invalid(grace, "must be greater than 0");
  }
}

/** The three probes of a container. */
export function validateProbes(container: v1.Container, at: Field, scope: GraceScope): void {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  if (livenessProbe) validateOneSuccess(livenessProbe, at.child("livenessProbe"), scope);
  if (readinessProbe) {
    const field = at.child("readinessProbe"), grace = readinessProbe.terminationGracePeriodSeconds;
    validateProbe(readinessProbe, field, scope);
    if (grace !== undefined) {
      field.child("terminationGracePeriodSeconds").invalid(grace, "must not be set for readinessProbes");
    }
  }
  if (startupProbe) validateOneSuccess(startupProbe, at.child("startupProbe"), scope);
}

/** A probe for which one success is enough. */
function validateOneSuccess(probe: v1.Probe, at: Field, scope: GraceScope): void {
  validateProbe(probe, at, scope);
  const threshold = probe.successThreshold ?? 0;
  if (threshold !== 1) at.child("successThreshold").invalid(threshold, "must be 1");
}

export function validateLifecycle(lifecycle: v1.Lifecycle, at: Field, scope: GraceScope): void {
  if (lifecycle.postStart) validateHandler(lifecycle.postStart, at.child("postStart"), scope);
  if (lifecycle.preStop) validateHandler(lifecycle.preStop, at.child("preStop"), scope);
}
