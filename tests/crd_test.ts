// CustomResourceDefinitions from their creation to their end.
import assert from "node:assert/strict";
import { startServer, type TestServer } from "./support/server.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function definition(plural: string, kind: string): Record<string, unknown> {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural, kind },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
}

interface Crd {
  metadata: { resourceVersion: string; deletionTimestamp?: string };
  status: { conditions?: { type: string; status: string; reason: string }[]; storedVersions: string[] };
}

/** Follows the CRD of a name until it is as wanted; each state is `Type=Status/Reason …`. */
async function statesUntil(server: TestServer, name: string, last: (event: string, crd: Crd) => boolean) {
  const query = new URLSearchParams({ watch: "1", fieldSelector: `metadata.name=${name}`, timeoutSeconds: "20" });
  const response = await server.fetch(`${CRDS}?${query}`);
  const states: string[] = [];
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "";;) {
    const { value, done } = await reader.read();
    assert.ok(!done, `it stayed ${states.at(-1)}`);
    const lines = (text + value).split("\n");
    text = lines.pop()!;
    for (const line of lines) {
      const { type, object } = JSON.parse(line) as { type: string; object: Crd };
      states.push((object.status.conditions ?? []).map((c) => `${c.type}=${c.status}/${c.reason}`).join(" "));
      if (!last(type, object)) continue;
      await reader.cancel();
      return states;
    }
  }
}

const established = (_: string, { status }: Crd) =>
  status.conditions?.some((c) => c.type === "Established" && c.status === "True") ?? false;

Deno.test("a CRD is named, established, and goes; who waited for its names gets them", async () => {
  const server = await startServer();
  try {
    await server.json("POST", CRDS, definition("widgets", "Widget"));
    const states = await statesUntil(server, "widgets.example.com", established);
    assert.equal(states.at(-1), "NamesAccepted=True/NoConflicts Established=True/InitialNamesAccepted");
    await server.json("POST", CRDS, definition("gadgets", "Widget"));
    const refused = (_: string, { status }: Crd) => status.conditions !== undefined && status.conditions !== null;
    assert.deepEqual(
      (await statesUntil(server, "gadgets.example.com", refused)).at(-1),
      [
        "NamesAccepted=False/ListKindConflict",
        "Established=False/NotAccepted",
      ].join(" "),
    );

    const gone = statesUntil(server, "widgets.example.com", (type) => type === "DELETED");
    const deleted = await server.json<Crd>("DELETE", `${CRDS}/widgets.example.com`);
    assert.equal(deleted.status.conditions?.[2].reason, "InstanceDeletionPending");
    assert.match((await gone).at(-1)!, / Terminating=True\/InstanceDeletionInProgress$/);
    await statesUntil(server, "gadgets.example.com", established);
    const { status } = await server.json<Crd>("POST", CRDS, definition("widgets", "Thing"));
    assert.deepEqual(status.storedVersions, ["v1"]);
  } finally {
    await server.stop();
  }
});

Deno.test("a CRD waits for the finalizers of its objects, and not a moment longer", async () => {
  const server = await startServer();
  try {
    await server.json("POST", CRDS, definition("widgets", "Widget"));
    await statesUntil(server, "widgets.example.com", established);
    const objects = "/apis/example.com/v1/namespaces/default/widgets";
    const widget = (name: string, finalizers?: string[]) => ({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name, finalizers },
    });
    await server.json("POST", objects, widget("free"));
    await server.json("POST", objects, widget("held", ["example.com/hold"]));
    const gone = statesUntil(server, "widgets.example.com", (type) => type === "DELETED");
    gone.catch(() => {}); // told where it is awaited
    await server.json("DELETE", `${CRDS}/widgets.example.com`);
    const inProgress = (_: string, { status }: Crd) =>
      status.conditions!.at(-1)!.reason === "InstanceDeletionInProgress";
    await statesUntil(server, "widgets.example.com", inProgress);
    const left = async () =>
      (await server.json<{ items: { metadata: { name: string } }[] }>("GET", objects)).items.map((i) =>
        i.metadata.name
      );
    while ((await left()).length > 1);
    assert.deepEqual(await left(), ["held"]);
    const refused = await server.fetch(objects, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(widget("late")),
    });
    assert.equal(refused.status, 403);
    await refused.body?.cancel();
    const response = await server.fetch(`${objects}/held`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: '{"metadata":{"finalizers":null}}',
    });
    assert.equal(response.status, 200, await response.text());
    await gone;
  } finally {
    await server.stop();
  }
});

Deno.test("a custom resource that says to be something else is refused in the words of its kind", async () => {
  const server = await startServer();
  try {
    await server.json("POST", CRDS, definition("widgets", "Widget"));
    await statesUntil(server, "widgets.example.com", established);
    const collection = "/apis/example.com/v1/namespaces/default/widgets";
    const refusal = async (object: unknown, query = "", method = "POST", path = collection) => {
      const headers = { "content-type": "application/json" };
      const response = await server.fetch(path + query, { method, headers, body: JSON.stringify(object) });
      return (await response.json()).message;
    };
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" } };
    assert.equal(
      await refusal({ ...widget, kind: "Gadget" }),
      'Gadget.example.com "a" is invalid: kind: Invalid value: "Gadget": must be Widget',
    );
    assert.equal(
      await refusal({ ...widget, apiVersion: "example.com/v3", spec: {} }, "?fieldValidation=Strict"),
      'Widget in version "v3" cannot be handled as a Widget: strict decoding error: unknown field "spec"',
    );
    const { kind: _kind, ...unsaid } = widget;
    const missing = `Object 'Kind' is missing in '${JSON.stringify(unsaid)}'`;
    assert.equal(
      await refusal(unsaid, "?fieldValidation=Ignore"),
      `Widget in version "v1" cannot be handled as a Widget: ${missing}`,
    );
    assert.match(
      await refusal(unsaid),
      /^the object provided is unrecognized \(must be of type Widget\): Object 'Kind'/,
    );

    await server.json("POST", `${collection}?fieldManager=one`, {
      ...widget,
      metadata: { name: "a", labels: { l: "0" } },
    });
    const stored = await server.json<Crd & { metadata: { managedFields: unknown[] } }>("GET", `${collection}/a`);
    const forgetting = { ...widget, metadata: { ...stored.metadata, managedFields: [], labels: { l: "0", m: "1" } } };
    const kept = await server.json<typeof stored>("PUT", `${collection}/a?fieldManager=two`, forgetting);
    assert.equal(kept.metadata.managedFields.length, 2, "an empty list of managers forgets none");
  } finally {
    await server.stop();
  }
});
