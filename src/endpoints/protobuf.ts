// The API in protobuf: objects, lists and watch events out of ready JSON, and bodies of requests.
import { decodeEnvelope, decodeMessage, ProtobufError } from "../machinery/protobuf/decode.ts";
import { encodeMessage, encodeProtobuf, encodeProtobufList, encodeWatchFrame } from "../machinery/protobuf/encode.ts";
import { notAcceptableError } from "../machinery/errors.ts";
import { QuantityError } from "../machinery/quantity.ts";
import { builtinSchema } from "../machinery/schema/builtin.ts";
import type { StructType } from "../machinery/schema/model.ts";
import {
  apiVersionOf,
  type GroupVersionKind,
  type Json,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from "../machinery/types.ts";
import type { ReadyJson } from "./served.ts";
import type { EventFraming } from "./watch_encoder.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

function typeOf({ kind, apiVersion = "" }: { kind: string; apiVersion?: string }): StructType | undefined {
  const gv = parseApiVersion(apiVersion);
  if (gv === undefined) return undefined;
  const type = builtinSchema().typeOfKind({ ...gv, kind });
  if (type !== undefined) return type;
  const isMeta = gv.group === "meta.k8s.io" || gv.group === "" || OPTIONS_KINDS.has(kind);
  return isMeta ? builtinSchema().typeByName(META + kind) : undefined;
}

/** Kinds that every group version knows under its own name: clients send `apps/v1, Kind=DeleteOptions`. */
const OPTIONS_KINDS = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
]);

/** Any built-in object or list. Throws 406 for what protobuf has no message of. */
export function protobufOfJson(json: string): Bytes {
  const object = JSON.parse(json) as KubeObject;
  const type = typeOf(object);
  if (type === undefined) throw notAcceptableError(`object of kind ${object.kind} cannot be written as protobuf`);
  return encodeProtobuf(type, object);
}

/** Messages of items: a list asks for the same ones again and again. */
const messages = new WeakMap<ReadyJson, Bytes>();

/** @param list JSON of the list with empty items */
export function protobufList(list: string, items: readonly ReadyJson[], itemKind: StructType): Bytes {
  const frame = JSON.parse(list) as { kind: string; apiVersion: string; metadata: JsonObject };
  const encoded = items.map((item) => {
    let message = messages.get(item);
    if (message === undefined) messages.set(item, message = encodeMessage(itemKind, JSON.parse(item.text)));
    return message;
  });
  return encodeProtobufList(typeOf(frame)!, frame, encoded);
}

/** Length, then a WatchEvent with the object in its envelope. */
export const PROTOBUF_FRAMES: EventFraming = {
  name: "protobuf",
  frame: (type, object) => encodeWatchFrame(type, protobufOfJson(object)),
};

type TypeMeta = { kind: string; apiVersion: string };

/** What is not said, or cannot be read, is what is served. */
function completed({ kind, apiVersion }: TypeMeta, served: GroupVersionKind): TypeMeta {
  const isVersion = (parseApiVersion(apiVersion)?.version ?? "") !== "";
  return { kind: kind || served.kind, apiVersion: isVersion ? apiVersion : apiVersionOf(served) };
}

/** Bytes that are no object; the message is the decoder's. */
export class ProtobufBodyError extends Error {
  /** @param typeMeta what the object is said to be, where the envelope is whole */
  constructor(message: string, readonly typeMeta?: TypeMeta) {
    super(message);
  }
}

/**
 * The object of a request's body, with the kind that its envelope names. Throws {@link ProtobufBodyError}.
 * @param served what it is where the envelope does not say so
 */
export function jsonOfProtobuf(body: Uint8Array, served?: GroupVersionKind): Json {
  let typeMeta: TypeMeta | undefined;
  try {
    const { raw, kind, apiVersion } = decodeEnvelope(body), said = { kind, apiVersion };
    typeMeta = served === undefined ? said : completed(said, served);
    const type = typeOf(typeMeta);
    // Who looks at the kind finds that there is none of this name.
    if (type === undefined) return typeMeta;
    return decodeMessage(type, raw, typeMeta) as unknown as Json;
  } catch (error) {
    if (!(error instanceof ProtobufError || error instanceof QuantityError)) throw error;
    throw new ProtobufBodyError(error.message, typeMeta);
  }
}
