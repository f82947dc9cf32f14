// What one change means to a watch with a selector.
import type { Item, Predicate, WatchEvent } from "./interface.ts";
import type { StoredItem } from "./item.ts";

/** A change of one object: what it became (or last was, at the revision of its deletion), and what it was before. */
export interface ItemChange {
  type: "ADDED" | "MODIFIED" | "DELETED";
  item: StoredItem;
  previous: StoredItem | undefined;
  /** The change as the three events it can be, each made when first needed and shared by all watches. */
  events: Partial<Record<"ADDED" | "MODIFIED" | "DELETED", WatchEvent>>;
}

export const EVERYTHING: Predicate = { everything: true, matches: () => true, requiresField: () => undefined };

/** An object that begins to match is ADDED, one that stops is DELETED; undefined when the watch sees nothing of it. */
export function selectEvent(change: ItemChange, predicate: Predicate): WatchEvent | undefined {
  if (predicate.everything) return eventOf(change, change.type);
  const { item, previous } = change;
  const before = previous !== undefined && predicate.matches(previous);
  const after = change.type !== "DELETED" && predicate.matches(item);
  if (after) return eventOf(change, before ? "MODIFIED" : "ADDED");
  return before ? eventOf(change, "DELETED") : undefined;
}

function eventOf(change: ItemChange, type: "ADDED" | "MODIFIED" | "DELETED"): WatchEvent {
  return change.events[type] ??= { type, item: itemOf(change, type) };
}

/** An object that stops matching is shown as it last matched, at the revision of the change. */
function itemOf(change: ItemChange, type: string): Item {
  if (type !== "DELETED" || change.type === "DELETED") return change.item;
  return change.previous!.withRevision(change.item.revision);
}

/** The present state as events. */
export function addedEvents(items: readonly Item[]): WatchEvent[] {
  return items.map((item) => ({ type: "ADDED", item }));
}
