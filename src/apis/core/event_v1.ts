// events.k8s.io/v1: the same events under other names, checked more strictly.
import { path } from "../../machinery/field_error.ts";
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  deepEqual,
  type Field,
  nameIsDNSSubdomain,
  validateImmutable,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../machinery/validation/mod.ts";
import { checkEvent, type EventObject } from "./event_rules.ts";
import type { EventsV1Event } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { Strategy } from "../kind.ts";

type EventsV1Object = KubeObject & EventsV1Event;

export const EVENTS_V1 = "events.k8s.io/v1";

/** Stored member → the member of events.k8s.io/v1. */
const NAMES = {
  involvedObject: "regarding",
  message: "note",
  source: "deprecatedSource",
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
  reportingComponent: "reportingController",
} as const;

function renamed(object: KubeObject, names: Readonly<Record<string, string>>): KubeObject {
  const members = Object.entries(object).map(([name, value]) => [names[name] ?? name, value]);
  return Object.fromEntries(members) as KubeObject;
}

const STORED_NAMES = Object.fromEntries(Object.entries(NAMES).map(([stored, served]) => [served, stored]));

function checkSeries({ series }: EventObject, root: Field): void {
  if (!series) return;
  if ((series.count ?? 0) < 2) root.child("series.count").invalid("", "should be at least 2");
  if (!series.lastObservedTime) root.child("series.lastObservedTime").required();
}

/** Members of the older form that must stay empty in new events. */
const UNSET = ["firstTimestamp", "lastTimestamp", "count", "source"] as const;

function checkNew(event: EventObject, root: Field): void {
  checkEvent(event, root, "reportingController");
  root.add(validateObjectMeta(event.metadata, {
    namespaced: true,
    validateName: nameIsDNSSubdomain,
    path: path("metadata"),
    standardFinalizers: true,
  }));
  checkSeries(event, root);
  if (!event.eventTime) root.child("eventTime").required();
  const { type = "" } = event;
  if (type !== "Normal" && type !== "Warning") root.child("type").invalid("", `has invalid value: ${type}`);
  for (const member of UNSET) {
    const value = event[member];
    const set = member === "source" ? Boolean(event.source?.component || event.source?.host) : Boolean(value);
    if (set) root.child(member).invalid("", "needs to be unset");
  }
}

/** Of an old event only its series changes. The form in which messages show a member is given by its type. */
const IMMUTABLE: readonly (readonly [member: keyof EventObject, shown: string, type?: string])[] = [
  ["involvedObject", "involvedObject", "ObjectReference"],
  ["reason", "reason", "string"],
  ["message", "message", "string"],
  ["source", "source", "EventSource"],
  ["firstTimestamp", "firstTimestamp"],
  ["lastTimestamp", "lastTimestamp"],
  ["count", "count", "int"],
  ["reason", "reason", "string"],
  ["type", "type", "string"],
  ["eventTime", "eventTime"],
  ["action", "action", "string"],
  ["related", "related", "*ObjectReference"],
  ["reportingComponent", "reportingController", "string"],
  ["reportingInstance", "reportingInstance", "string"],
];

function checkChanged(event: EventObject, old: EventObject, root: Field): void {
  checkEvent(event, root, "reportingController");
  root.add(
    validateObjectMetaUpdate(event.metadata, old.metadata, { path: path("metadata"), standardFinalizers: true }),
  );
  if (!deepEqual(event.series, old.series)) checkSeries(event, root);
  for (const [member, field, type = "json"] of IMMUTABLE) {
    const now = internalForm(type, event[member]), before = internalForm(type, old[member]);
    validateImmutable({ now, before }, root.child(field));
  }
}

const strategy: Strategy<EventObject> = {
  validate: (event) => collect((root) => checkNew(event, root)),
  validateUpdate: (event, old) => collect((root) => checkChanged(event, old, root)),
};

export const eventsV1Conversion = {
  fromStored: (event: EventObject): KubeObject => ({ ...renamed(event, NAMES), apiVersion: EVENTS_V1 }),
  toStored: (event: KubeObject): EventObject => ({
    ...renamed(event as EventsV1Object, STORED_NAMES),
    apiVersion: "v1",
  }),
  strategy,
};
