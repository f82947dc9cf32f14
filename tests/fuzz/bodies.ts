// Objects as bodies in every media type, now and then with some bytes of them broken.
import { gzipSync } from "node:zlib";
import { encodeProtobuf } from "../../src/machinery/protobuf/encode.ts";
import { builtinSchema } from "../../src/machinery/schema/builtin.ts";
import { type JsonObject, type KubeObject, parseApiVersion } from "../../src/machinery/types.ts";
import { writeYaml } from "../../src/machinery/yaml/write.ts";
import type { Random } from "../support/random.ts";
import type { FuzzRequest } from "./requests.ts";

type Body = Pick<FuzzRequest, "headers" | "body">;

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const OTHER_TYPES = ["text/plain", "application/cbor", "application/x-www-form-urlencoded", "application/*", "", "x"];

export function encoded(object: JsonObject, random: Random): Body {
  const roll = random.next();
  if (roll < 0.65) return body("application/json", disturbed(JSON.stringify(object), random));
  if (roll < 0.8) return body("application/yaml", disturbed(writeYaml(object), random));
  if (roll < 0.92) return body(PROTOBUF, protobufOf(object, random));
  if (roll < 0.96) {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    return { headers, body: new Uint8Array(gzipSync(JSON.stringify(object))) };
  }
  return body(random.of(OTHER_TYPES), JSON.stringify(object));
}

function body(type: string, content: string | Uint8Array<ArrayBuffer>): Body {
  return { headers: { "content-type": type }, body: content };
}

/** What may stand anywhere in a text. */
const PIECES = [
  "",
  "\u0000",
  "\ud800",
  "\u2028",
  "\ufeff",
  "\u{1f4a9}",
  '"',
  "\\",
  "\\u",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "null",
  "1e999",
  "-0",
  "9007199254740993",
  "123456789012345678901234567890",
  "0.1e-400",
  '"__proto__":1,',
  '"kind":"Pod",',
  "[".repeat(2000),
  '{"a":'.repeat(1200),
  "&a ",
  "*a",
  "<<: ",
  "- ",
  "|",
  "!!binary ",
  "# x\n",
  "\t",
  "\r\n",
  "---\n",
];

function disturbed(text: string, random: Random): string {
  if (random.chance(0.7)) return text;
  let changed = text;
  for (let i = 1 + random.below(3); i > 0; i--) {
    const at = random.below(changed.length + 1), end = Math.min(changed.length, at + random.below(6));
    changed = changed.slice(0, at) + random.of(PIECES) + changed.slice(end);
  }
  return random.chance(0.1) ? changed.slice(0, random.below(changed.length)) : changed;
}

function protobufOf(object: JsonObject, random: Random): Uint8Array<ArrayBuffer> {
  const bytes = random.chance(0.05) ? randomBytes(random) : enveloped(object);
  if (random.chance(0.5)) return bytes;
  for (let i = 1 + random.below(4); i > 0; i--) bytes[random.below(bytes.length)] = random.below(256);
  return random.chance(0.2) ? bytes.slice(0, random.below(bytes.length)) : bytes;
}

function randomBytes(random: Random): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length: 4 + random.below(200) }, () => random.below(256));
  if (random.chance(0.8)) bytes.set([0x6b, 0x38, 0x73, 0]);
  return bytes;
}

/** JSON in the envelope of protobuf where there is no message of the object. */
function enveloped(object: JsonObject): Uint8Array<ArrayBuffer> {
  const gv = parseApiVersion(String(object.apiVersion ?? ""));
  const type = gv && builtinSchema().typeOfKind({ ...gv, kind: String(object.kind) });
  if (type !== undefined) {
    try {
      return encodeProtobuf(type, object as unknown as KubeObject);
    } catch { /* it is broken in a way that no message can be */ }
  }
  return new TextEncoder().encode(`k8s\0${JSON.stringify(object)}`);
}
