// Watch events as bytes. An event of an item is encoded once for each form and version, however many watch it.
import type { StatusError } from "../machinery/errors.ts";
import { apiVersionOf, type GroupVersionKind, type KubeObject } from "../machinery/types.ts";
import type { Item, WatchEvent } from "../storage/interface.ts";
import { partialMetadataJson } from "./answer.ts";
import { partialMetadataText } from "./metadata_text.ts";
import type { ServedKind } from "../registry/resource.ts";
import { readyJson, servedJson, shownJson, shownObject } from "./served.ts";
import { type IncludeObject, tableJson } from "./table.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type ItemEvent = Extract<WatchEvent, { item: Item }>;
type Bookmark = Extract<WatchEvent, { type: "BOOKMARK" }>;

/** Turns events into what goes over the wire. */
export interface WatchEncoder {
  encode(event: WatchEvent): Bytes | Promise<Bytes>;
}

/** Puts a ready object into an event: a line of JSON, or a frame of protobuf. */
export interface EventFraming {
  /** Part of the key under which encodings are shared. */
  readonly name: string;
  frame(type: WatchEvent["type"], object: string): Bytes;
}

const utf8 = new TextEncoder();

export const JSON_LINES: EventFraming = {
  name: "json",
  frame: (type, object) => utf8.encode(`{"type":"${type}","object":${object}}\n`),
};

/** Encodings of an item by form, version and type of event. */
const shared = new WeakMap<Item, Map<string, Bytes>>();

/** The objects themselves, or only their metadata when `convert` asks for PartialObjectMetadata. */
export function createObjectEncoder(
  kind: ServedKind,
  framing: EventFraming,
  convert: GroupVersionKind | undefined,
): WatchEncoder {
  const form = `${framing.name} ${convert ? `${convert.kind} ${apiVersionOf(convert)}` : apiVersionOf(kind.gvk)} `;
  const partialVersion = convert && apiVersionOf(convert);
  const render = (json: { text: string; bodyStart: number }) =>
    partialVersion === undefined ? json.text : partialMetadataJson(partialVersion, partialMetadataText(kind, json));
  return {
    encode(event) {
      if (event.type === "ERROR") return framing.frame("ERROR", errorJson(event.error));
      if (event.type === "BOOKMARK") return framing.frame("BOOKMARK", render(readyJson(kind, bookmark(kind, event))));
      const key = form + event.type;
      const encoded = shared.get(event.item)?.get(key);
      if (encoded !== undefined) return encoded;
      const json = partialVersion === undefined ? servedJson(event.item, kind) : shownJson(event.item, kind);
      const finish = (ready: { text: string; bodyStart: number }) =>
        share(event.item, key, framing.frame(event.type, render(ready)));
      return json instanceof Promise ? json.then(finish) : finish(json);
    },
  };
}

function share(item: Item, key: string, bytes: Bytes): Bytes {
  let encodings = shared.get(item);
  if (encodings === undefined) shared.set(item, encodings = new Map());
  encodings.set(key, bytes);
  return bytes;
}

/** Tables of one row; only the first carries the columns. Ages differ from moment to moment, so nothing is shared. */
export function createTableEncoder(
  kind: ServedKind,
  framing: EventFraming,
  target: GroupVersionKind,
  include: IncludeObject,
): WatchEncoder {
  let withColumns = true;
  return {
    async encode(event) {
      if (event.type === "ERROR") return framing.frame("ERROR", errorJson(event.error));
      const object = event.type === "BOOKMARK"
        ? bookmark(kind, event)
        : await shownObject({ item: (event as ItemEvent).item }, kind);
      const meta = { resourceVersion: object.metadata.resourceVersion };
      const json = await tableJson(kind, [object], meta, { target, include, withColumns });
      withColumns = false;
      return framing.frame(event.type, json);
    },
  };
}

/** An object that holds nothing but how far the watch is. */
function bookmark(kind: ServedKind, event: Bookmark): KubeObject {
  const object: KubeObject = {
    kind: kind.gvk.kind,
    apiVersion: apiVersionOf(kind.gvk),
    metadata: { resourceVersion: String(event.revision) },
  };
  if (event.initialEventsEnd) object.metadata.annotations = { "k8s.io/initial-events-end": "true" };
  return object;
}

function errorJson(error: Error): string {
  const status = (error as StatusError).status;
  if (status !== undefined) return JSON.stringify(status);
  return JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: error.message,
    code: 500,
  });
}
