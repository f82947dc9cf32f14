// GET with `watch`, and the legacy watch paths: a stream of events until the time is up, the client goes or the server.
import { methodNotSupportedError } from "../machinery/errors.ts";
import type { Predicate } from "../storage/interface.ts";
import { isWebSocketRequest, upgradeToEventSocket } from "./event_socket.ts";
import { createEventStream } from "./event_stream.ts";
import { JSON_TYPE, notAcceptable, type OutputMediaType, PROTOBUF_TYPE, STREAM_MEDIA_TYPES } from "./negotiation.ts";
import type { ListQuery } from "./options.ts";
import { PROTOBUF_FRAMES } from "./protobuf.ts";
import type { Scope } from "./scope.ts";
import { decodeIncludeObject } from "./table.ts";
import { createObjectEncoder, createTableEncoder, JSON_LINES, type WatchEncoder } from "./watch_encoder.ts";

export async function watchResource(
  scope: Scope,
  query: ListQuery,
  predicate: Predicate,
  output: OutputMediaType,
): Promise<Response> {
  const { storage, c, deps } = scope;
  if (storage.watch === undefined) throw methodNotSupportedError(scope.groupResource, "watch");
  const watcher = await storage.watch(scope.context, {
    resourceVersion: query.resourceVersion,
    resourceVersionMatch: query.resourceVersionMatch as "",
    predicate,
    allowWatchBookmarks: query.allowWatchBookmarks,
    sendInitialEvents: query.sendInitialEvents,
    signal: c.get("signal"),
  });
  let encoder: WatchEncoder;
  try {
    encoder = createEncoder(scope, output);
  } catch (error) {
    watcher.stop();
    throw error;
  }
  const { group, version, resource } = scope.resource;
  const labels = { group, version, resource };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const options = {
    timeout: inTimer(timeoutSeconds(query, deps.minRequestTimeoutSeconds) * 1000),
    signal: c.get("signal"),
    onEvents: (count: number) => deps.metrics.add("watchEvents", labels, count),
    onEnd: resolve,
  };
  const isJson = output.mediaType === JSON_TYPE;
  const response = isWebSocketRequest(scope.headers)
    ? upgradeToEventSocket(c.req.raw, watcher, encoder, { ...options, asText: isJson })
    : c.body(createEventStream(watcher, encoder, options), 200, {
      "content-type": isJson ? JSON_TYPE : `${output.mediaType};stream=watch`,
    });
  scope.ended = ended;
  return response;
}

/** What a timer can hold: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Who wants to wait less than not at all gets what is there. */
function inTimer(milliseconds: number): number {
  return Math.max(0, Math.min(milliseconds, MAX_TIMER_MS));
}

function timeoutSeconds(query: ListQuery, minimum: number): number {
  return query.timeoutSeconds || minimum * (1 + Math.random());
}

function createEncoder(scope: Scope, output: OutputMediaType): WatchEncoder {
  const { kind } = scope;
  const include = output.convert?.kind === "Table" ? decodeIncludeObject(scope.query) : undefined;
  if (output.convert?.kind === "PartialObjectMetadataList") return NO_LISTS;
  if (output.mediaType === PROTOBUF_TYPE) return createObjectEncoder(kind, PROTOBUF_FRAMES, output.convert);
  if (output.mediaType !== JSON_TYPE) throw notAcceptable(STREAM_MEDIA_TYPES);
  if (include !== undefined) return createTableEncoder(kind, JSON_LINES, output.convert!, include);
  return createObjectEncoder(kind, JSON_LINES, output.convert);
}

/** Events are of single objects: whoever asks for lists of metadata sees the stream end at the first event. */
const NO_LISTS: WatchEncoder = {
  encode(event) {
    throw new TypeError(`a ${event.type} event cannot be a PartialObjectMetadataList`);
  },
};
