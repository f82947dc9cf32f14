// The codec against JSON.parse and JSON.stringify, on a pod as a client sends it.
import { setPodSpecDefaults } from "../../src/apis/core/pod_spec/defaults.ts";
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
/** As it comes to storage: defaults stand behind what the client gave, on every level. */
const defaulted = podOf(["a", "b", "c"]);
setPodSpecDefaults(defaulted.spec);

function podOf(names: string[]) {
  const env = Array.from({ length: 10 }, (_, i) => ({ name: `VARIABLE_${i}`, value: String(i) }));
  const ports = [{ containerPort: 80 }], httpGet = { path: "/ready", port: 80 };
  const containers = names.map((name) => ({ name, image: "nginx", env, ports, readinessProbe: { httpGet } }));
  return decode(type, { kind: "Pod", apiVersion: "v1", metadata: { name: "p" }, spec: { containers } }).object;
}

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
Deno.bench("JSON.stringify, defaults added", { group: "defaults", baseline: true }, () => {
  JSON.stringify(defaulted);
});
Deno.bench("encode, defaults added", { group: "defaults" }, () => void encode(type, defaulted));
