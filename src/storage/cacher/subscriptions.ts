// Who watches what. A change is offered to those only whose keys and indexed fields it is about.
import type { EventQueue } from "../event_queue.ts";
import type { Predicate } from "../interface.ts";
import { type ItemChange, selectEvent } from "../selection.ts";
import { INDEXED_FIELDS } from "./field_index.ts";

export interface Subscription {
  /** A prefix of keys ending in `/`, or a whole key. */
  scope: string;
  predicate: Predicate;
  queue: EventQueue;
  /** Events up to this revision are of no interest. */
  after: number;
  bookmarks: boolean;
}

/** Subscriptions of one scope; those that need one value of an indexed field stand under it and are not asked otherwise. */
interface Group {
  all: Set<Subscription>;
  byField: Map<string, Map<string, Set<Subscription>>>;
}

export class Subscriptions {
  readonly #resourcePrefix: string;
  readonly #groups = new Map<string, Group>();
  readonly #all = new Set<Subscription>();

  constructor(resourcePrefix: string) {
    this.#resourcePrefix = resourcePrefix;
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<Subscription> {
    return this.#all.values();
  }

  add(subscription: Subscription): void {
    this.#all.add(subscription);
    let group = this.#groups.get(subscription.scope);
    if (group === undefined) this.#groups.set(subscription.scope, group = { all: new Set(), byField: new Map() });
    this.#place(group, subscription).add(subscription);
  }

  delete(subscription: Subscription): void {
    if (!this.#all.delete(subscription)) return;
    const group = this.#groups.get(subscription.scope)!;
    this.#place(group, subscription).delete(subscription);
    for (const [field, values] of group.byField) {
      for (const [value, set] of values) if (set.size === 0) values.delete(value);
      if (values.size === 0) group.byField.delete(field);
    }
    if (group.all.size === 0 && group.byField.size === 0) this.#groups.delete(subscription.scope);
  }

  dispatch(change: ItemChange): void {
    if (this.#all.size === 0) return;
    const { key } = change.item;
    let slash = this.#resourcePrefix.length - 1;
    while (slash >= 0) {
      this.#offer(this.#groups.get(key.slice(0, slash + 1)), change);
      slash = key.indexOf("/", slash + 1);
    }
    this.#offer(this.#groups.get(key), change);
  }

  #place(group: Group, { predicate }: Subscription): Set<Subscription> {
    for (const field of INDEXED_FIELDS) {
      const value = predicate.requiresField(field);
      if (value === undefined) continue;
      let values = group.byField.get(field);
      if (values === undefined) group.byField.set(field, values = new Map());
      let set = values.get(value);
      if (set === undefined) values.set(value, set = new Set());
      return set;
    }
    return group.all;
  }

  #offer(group: Group | undefined, change: ItemChange): void {
    if (group === undefined) return;
    for (const subscription of group.all) offer(subscription, change);
    for (const [field, values] of group.byField) {
      const now = change.item.fields[field] ?? "", before = change.previous?.fields[field] ?? "";
      for (const subscription of values.get(now) ?? []) offer(subscription, change);
      if (before === now) continue;
      for (const subscription of values.get(before) ?? []) offer(subscription, change);
    }
  }
}

function offer({ predicate, queue, after }: Subscription, change: ItemChange): void {
  if (change.item.revision <= after) return;
  const event = selectEvent(change, predicate);
  if (event !== undefined) queue.push(event);
}
