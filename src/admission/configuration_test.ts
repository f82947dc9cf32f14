import assert from "node:assert/strict";
import { parseAdmissionConfiguration } from "./configuration.ts";

const known = ["PodSecurity", "PodNodeSelector"];

function read(text: string, files: Record<string, string> = {}) {
  return parseAdmissionConfiguration({ file: "/etc/k/admission.yaml", text }, {
    known,
    read: (file) => {
      if (files[file] === undefined) throw new Error(`no file ${file}`);
      return files[file];
    },
  });
}

const HEAD = "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n";

Deno.test("configurations are inline or in files beside the configuration", async () => {
  const text =
    `${HEAD}plugins:\n- name: PodSecurity\n  path: ps.yaml\n- name: PodNodeSelector\n  configuration: {a: b}\n`;
  const configurations = await read(text, { "/etc/k/ps.yaml": "kind: X" });
  assert.deepEqual([...configurations], [["PodSecurity", { kind: "X" }], ["PodNodeSelector", { a: "b" }]]);
});

Deno.test("a file of one plugin from before is taken as it is", async () => {
  const configurations = await read("podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: a=b}");
  assert.deepEqual([...configurations.keys()], ["PodNodeSelector"]);
});

Deno.test("what cannot be right is refused with its place", async () => {
  const cases: [string, RegExp][] = [
    ["kind: Pod\napiVersion: v1", /no kind "Pod" is registered for version "v1"/],
    [`${HEAD}plugin: []`, /unknown field "plugin"/],
    [`${HEAD}plugins: [{name: Nothing}]`, /plugins\[0\]\.name: unknown admission plugin "Nothing"/],
    [`${HEAD}plugins: [{name: PodSecurity, config: {}}]`, /unknown field "plugins\[0\]\.config"/],
    [`${HEAD}plugins: [{name: PodSecurity, path: gone.yaml}]`, /no file \/etc\/k\/gone\.yaml/],
    [`${HEAD}kind: AdmissionConfiguration`, /key "kind" already set/],
  ];
  for (const [text, message] of cases) await assert.rejects(read(text), message);
});
