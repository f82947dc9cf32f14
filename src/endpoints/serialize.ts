// Objects and ready JSON in the media types of the API, and bodies read back from them.
import { parseExactly } from "../machinery/big_integers.ts";
import { encode } from "../machinery/codec/encode.ts";
import { type ParsedJson, parseJson } from "../machinery/codec/parse.ts";
import { YamlError } from "../machinery/yaml/mod.ts";
import { writeYaml } from "../machinery/yaml/write.ts";
import type { GroupVersionKind, Json, KubeObject } from "../machinery/types.ts";
import { bodyText } from "./body.ts";
import { JSON_TYPE, PROTOBUF_TYPE, YAML_TYPE } from "./negotiation.ts";
import { jsonOfProtobuf, ProtobufBodyError, protobufOfJson } from "./protobuf.ts";
import type { ServedKind } from "../registry/resource.ts";
import { readYaml } from "./yaml_thread.ts";

/** JSON of an object in the served version, members in the order of its type. */
export function encodeObject(kind: ServedKind, object: KubeObject): string {
  return encode(kind.type, object);
}

/** Ready JSON in another media type. */
export function transcode(json: string, mediaType: string): string | Uint8Array<ArrayBuffer> {
  if (mediaType === JSON_TYPE) return json;
  if (mediaType === PROTOBUF_TYPE) return protobufOfJson(json);
  return writeYaml(parseExactly(json));
}

/** A body that is not the media type it claims to be; the message is the parser's. */
export class BodySyntaxError extends Error {
  /** @param typeMeta what the object is said to be, where that much could be read */
  constructor(message: string, readonly typeMeta?: { kind: string; apiVersion: string }) {
    super(message);
  }
}

export interface ParsedBody {
  value: Json;
  /** JSON as it was sent: decoding finds members that are there twice in it. */
  source?: ParsedJson;
  /** Keys that are twice in YAML: `line 6: key "k" already set in map`. */
  repeatedKeys?: readonly string[];
}

/**
 * Throws {@link BodySyntaxError}. Only YAML has to be waited for: its parser is loaded when it is first needed.
 * @param served what an envelope is taken for that does not say so
 */
export function parseBody(
  body: Uint8Array,
  mediaType: string,
  served?: GroupVersionKind,
): ParsedBody | Promise<ParsedBody> {
  if (mediaType === PROTOBUF_TYPE) return parseProtobufBody(body, served);
  return mediaType === YAML_TYPE ? parseYamlBody(body) : parseJsonBody(body);
}

async function parseYamlBody(body: Uint8Array): Promise<ParsedBody> {
  try {
    const { value, duplicates } = await readYaml(bodyText(body));
    return { value, repeatedKeys: duplicates };
  } catch (error) {
    throw error instanceof YamlError ? new BodySyntaxError(error.message) : error;
  }
}

/** Throws {@link BodySyntaxError}. */
export function parseJsonBody(body: Uint8Array): ParsedBody & { source: ParsedJson } {
  try {
    const source = parseJson(bodyText(body));
    return { value: source.value, source };
  } catch (error) {
    throw new BodySyntaxError((error as Error).message);
  }
}

function parseProtobufBody(body: Uint8Array, served: GroupVersionKind | undefined): ParsedBody {
  try {
    return { value: jsonOfProtobuf(body, served) };
  } catch (error) {
    throw error instanceof ProtobufBodyError ? new BodySyntaxError(error.message, error.typeMeta) : error;
  }
}

/** How the strict parser of YAML tells of keys that are there twice; empty without any. */
export function repeatedKeysProblem({ repeatedKeys = [] }: ParsedBody): string[] {
  return repeatedKeys.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${repeatedKeys.join("\n  ")}`];
}
