// Events: what happened to an object, for a while. core/v1 and events.k8s.io/v1 show the same objects (KEP-383).
import { age } from "../../machinery/duration.ts";
import type { FieldError } from "../../machinery/field_error.ts";
import { collect } from "../../machinery/validation/field.ts";
import { NAME, text, wide } from "../columns.ts";
import type { Column, KindDefinition } from "../kind.ts";
import { checkEvent, type EventObject } from "./event_rules.ts";
import { EVENTS_V1, eventsV1Conversion } from "./event_v1.ts";

function validate(event: EventObject): FieldError[] {
  return collect((root) => checkEvent(event, root, "reportingComponent"));
}

function firstSeen(event: EventObject, now: number): string {
  return age(event.firstTimestamp || event.eventTime, now);
}

function lastSeen(event: EventObject, now: number): string {
  if (event.series) return age(event.series.lastObservedTime, now);
  return event.lastTimestamp ? age(event.lastTimestamp, now) : firstSeen(event, now);
}

function involvedName({ involvedObject: { kind = "", name = "" } = {} }: EventObject): string {
  return name === "" ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`;
}

function sourceName({ source, reportingComponent, reportingInstance }: EventObject): string {
  const component = source?.component || reportingComponent || "", host = source?.host || reportingInstance || "";
  return host === "" ? component : `${component}, ${host}`;
}

const columns: readonly Column<EventObject>[] = [
  text("Last Seen", "Time since it happened last.", lastSeen),
  text("Type", "Normal or Warning.", (e) => e.type ?? ""),
  text("Reason", "Why, in one word.", (e) => e.reason ?? ""),
  text("Object", "What it is about.", involvedName),
  wide(text("Subobject", "The part of the object.", (e) => e.involvedObject?.fieldPath ?? "")),
  wide(text("Source", "Who reports it.", sourceName)),
  text("Message", "What happened.", (e) => (e.message ?? "").trim()),
  wide(text("First Seen", "Time since it happened first.", firstSeen)),
  wide(text("Count", "How often it happened.", (e) => e.series ? e.series.count ?? 0 : e.count || 1)),
  wide(NAME),
];

export const event: KindDefinition<EventObject> = {
  gvk: { group: "", version: "v1", kind: "Event" },
  resource: "events",
  allowCreateOnUpdate: true,
  // Clients of long ago give their events any name.
  checksMetadata: true,
  validate,
  validateUpdate: validate,
  fields: (e) => ({
    "involvedObject.kind": e.involvedObject?.kind ?? "",
    "involvedObject.namespace": e.involvedObject?.namespace ?? "",
    "involvedObject.name": e.involvedObject?.name ?? "",
    "involvedObject.uid": e.involvedObject?.uid ?? "",
    "involvedObject.apiVersion": e.involvedObject?.apiVersion ?? "",
    "involvedObject.resourceVersion": e.involvedObject?.resourceVersion ?? "",
    "involvedObject.fieldPath": e.involvedObject?.fieldPath ?? "",
    reason: e.reason ?? "",
    reportingComponent: e.reportingComponent ?? "",
    source: e.source?.component || (e.reportingComponent ?? ""),
    type: e.type ?? "",
  }),
  columns,
  conversions: { [EVENTS_V1]: eventsV1Conversion },
};
