// What must hold of events in every version.
import type { KubeObject } from "../../machinery/types.ts";
import {
  byteLength,
  type Field,
  validateDNS1123Subdomain,
  validateQualifiedName,
} from "../../machinery/validation/mod.ts";
import type { Event } from "../../facts/generated/types.ts";

export type EventObject = KubeObject & Event;

/** Longest values in bytes. */
const LIMITS = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;
const DEFAULT_NAMESPACE = "default";
const SYSTEM_NAMESPACE = "kube-system";

/** What holds in both versions; `controllerField` is the reporting controller's name in the one that was written. */
export function checkEvent(event: EventObject, root: Field, controllerField: string): void {
  const namespace = event.metadata.namespace ?? "", involved = event.involvedObject?.namespace ?? "";
  const timed = Boolean(event.eventTime);
  const elsewhere = involved === ""
    ? namespace !== DEFAULT_NAMESPACE && (timed ? namespace !== SYSTEM_NAMESPACE : namespace !== "")
    : !timed && involved !== namespace;
  if (elsewhere) root.child("involvedObject", "namespace").invalid(involved, "does not match event.namespace");
  if (timed) checkTimedEvent(event, root, controllerField);
  validateDNS1123Subdomain(namespace, root.child("namespace"));
}

/** Events with a time of their own say who reports what. */
function checkTimedEvent(event: EventObject, root: Field, controllerField: string): void {
  const controller = event.reportingComponent ?? "";
  if (controller === "") root.child(controllerField).required();
  validateQualifiedName(controller, root.child(controllerField));
  for (const member of ["reportingInstance", "action", "reason", "message"] as const) {
    const value = event[member] ?? "", at = root.child(member);
    if (value === "" && member !== "message") at.required();
    if (byteLength(value) > LIMITS[member]) at.invalid("", `can have at most ${LIMITS[member]} characters`);
  }
}
