// The beginning of a watch on the cache: the present state, what the window still has, or history.
import { expiredError } from "../../machinery/errors.ts";
import { EventQueue } from "../event_queue.ts";
import type { BackendWatch, Change, Watcher, WatchEvent, WatchOptions } from "../interface.ts";
import { prefixEnd } from "../key_range.ts";
import { addedEvents, EVERYTHING, type ItemChange, selectEvent } from "../selection.ts";
import { watchError } from "../store.ts";
import type { Cacher, Loaded } from "./cacher.ts";
import type { Subscription } from "./subscriptions.ts";

interface StartOptions extends WatchOptions {
  /** The revision of the request; 0: from the present state, or from now. */
  after: number;
  /** Why the watch cannot be: its only event. */
  failure?: Error;
}

export function startWatch(cacher: Cacher, loaded: Loaded, prefix: string, options: StartOptions): Watcher {
  const { predicate = EVERYTHING, sendInitialEvents, allowWatchBookmarks = false, failure } = options;
  const present = loaded.watch.progress();
  const withState = sendInitialEvents ?? options.after === 0;
  const subscription: Subscription = {
    scope: prefix,
    predicate,
    queue: new EventQueue(options.signal, () => cacher.subscriptions.delete(subscription)),
    after: Math.max(present, options.after),
    bookmarks: allowWatchBookmarks,
  };
  const { queue } = subscription;
  if (failure !== undefined) queue.fail(failure);
  if (queue.ended) return queue;
  cacher.subscriptions.add(subscription);
  if (withState) {
    const state = stateOf(loaded, prefix, subscription);
    cacher.counts.initEvents += state.length;
    queue.pushInitial(addedEvents(state));
    if (sendInitialEvents && allowWatchBookmarks) {
      queue.push({ type: "BOOKMARK", revision: present, initialEventsEnd: true });
    }
  } else if (options.after > 0 && options.after < present) {
    resume(cacher, loaded, options.after, subscription);
  }
  return queue;
}

function stateOf(loaded: Loaded, prefix: string, { predicate }: Subscription) {
  if (!prefix.endsWith("/")) {
    const item = loaded.items.get(prefix);
    return item !== undefined && predicate.matches(item) ? [item] : [];
  }
  const items = new Array<NonNullable<ReturnType<typeof loaded.items.get>>>();
  loaded.ordered.scan(prefix, prefixEnd(prefix), (item) => {
    if (predicate.everything || predicate.matches(item)) items.push(item);
    return true;
  });
  return items;
}

/** Begins with what happened behind `after`. */
function resume(cacher: Cacher, loaded: Loaded, after: number, subscription: Subscription): void {
  const { queue } = subscription, { since = 0 } = cacher.options;
  if (after < since) return queue.fail(expiredError(`too old resource version: ${after} (${since})`));
  if (after >= loaded.window.start) {
    const events = loaded.window.since(after).map((change) => seen(change, subscription));
    return queue.pushInitial(events.filter((event) => event !== undefined));
  }
  readHistory(cacher, after, subscription);
}

/** Reads from the log what the window has not got any more; what happens meanwhile waits behind it. */
function readHistory(cacher: Cacher, after: number, subscription: Subscription): void {
  const { queue, scope } = subscription, upTo = subscription.after;
  let done = false, history: BackendWatch | undefined = undefined;
  queue.hold();
  const finish = () => {
    done = true;
    queue.release();
    history?.stop();
  };
  const onChanges = (changes: readonly Change[], reached: number) => {
    if (done || queue.ended) return finish();
    const events = changes.filter((change) => change.revision <= upTo)
      .map((change) => seen(cacher.store.changeOf(change), subscription))
      .filter((event) => event !== undefined);
    queue.pushInitial(events);
    if (reached >= upTo) finish();
  };
  history = cacher.backend.watch(scope, after, onChanges, (error) => {
    if (!done && error !== undefined) queue.fail(watchError(error, after));
  }, { previous: true });
  if (done) history.stop();
}

function seen(change: ItemChange, { scope, predicate }: Subscription): WatchEvent | undefined {
  const { key } = change.item;
  if (scope.endsWith("/") ? !key.startsWith(scope) : key !== scope) return undefined;
  return selectEvent(change, predicate);
}
