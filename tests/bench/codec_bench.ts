// The codec against JSON.parse and JSON.stringify, on a pod as a client sends it.
import { decode } from "../../src/machinery/codec/decode.ts";
import { encode } from "../../src/machinery/codec/encode.ts";
import { parseJson } from "../../src/machinery/codec/parse.ts";
import { builtinSchema } from "../../src/machinery/schema/builtin.ts";
import type { Json, JsonObject } from "../../src/machinery/types.ts";

const type = builtinSchema().typeOfKind({ group: "", version: "v1", kind: "Pod" })!;
const pod: Json = JSON.parse(Deno.readTextFileSync(new URL("../testdata/pod.json", import.meta.url)));
const text = JSON.stringify(pod);
/** As kubectl sends it. */
const byName = sorted(pod), byNameText = JSON.stringify(byName);
const { object } = decode(type, pod);

function sorted(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const out: JsonObject = {};
  for (const name of Object.keys(value).sort()) out[name] = sorted(value[name]!);
  return out;
}

Deno.bench("JSON.parse", { group: "read", baseline: true }, () => void JSON.parse(text));
Deno.bench("parseJson", { group: "read" }, () => void parseJson(text));
Deno.bench("decode, members in order", { group: "read" }, () => void decode(type, pod));
Deno.bench("decode, members by name", { group: "read" }, () => void decode(type, byName));
Deno.bench("parseJson and decode, members by name", { group: "read" }, () => {
  const source = parseJson(byNameText);
  decode(type, source.value, { source });
});

Deno.bench("JSON.stringify", { group: "write", baseline: true }, () => void JSON.stringify(object));
Deno.bench("encode", { group: "write" }, () => void encode(type, object));
