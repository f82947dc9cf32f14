// Defaulting and validating a usual pod, against reading and writing its JSON.
import { kindDefinition } from "../../src/apis/scheme.ts";
import { controllerContext } from "../../src/controllers/informer.ts";
import type { KubeObject } from "../../src/machinery/types.ts";

const definition = kindDefinition({ group: "", version: "v1", kind: "Pod" }, "pods");
const context = { ...controllerContext("bench", new AbortController().signal), namespace: "default" };
const text = await Deno.readTextFile(new URL("../testdata/pod.json", import.meta.url));

await definition.load?.(JSON.parse(text));

function prepared(): KubeObject {
  const pod = JSON.parse(text) as KubeObject;
  definition.setDefaults?.(pod);
  definition.prepareForCreate?.(pod, context);
  return pod;
}

const errors = definition.validate?.(prepared(), context) ?? [];
if (errors.length > 0) throw new Error(`the pod is not valid: ${JSON.stringify(errors)}`);

Deno.bench("JSON.parse and JSON.stringify", { group: "pod", baseline: true }, () => {
  JSON.stringify(JSON.parse(text));
});

Deno.bench("JSON.parse alone", { group: "pod" }, () => {
  JSON.parse(text);
});

Deno.bench("JSON.parse, defaults and validation", { group: "pod" }, () => {
  definition.validate?.(prepared(), context);
});
