import assert from "node:assert/strict";
import type { ServedResource } from "../../registry/resource.ts";
import { getIfThere } from "../../registry/rest.ts";
import { type Trial, withTrial } from "../../registry/testing.ts";
import { startGarbageCollector } from "./mod.ts";

const NAMESPACE = "default", DELETE_OPTIONS = { dryRun: false };

/** Starts with the resources of `served`, whose content may change. */
async function withCollector(
  test: (
    parts: { trial: Trial; served: Set<ServedResource>; resource: (name: string) => ServedResource },
  ) => Promise<void>,
): Promise<void> {
  const stop = new AbortController(), served = new Set<ServedResource>();
  await withTrial(async (trial) => {
    const resource = (name: string) => trial.resources.lookup("", "v1", name)!;
    served.add(resource("configmaps"));
    const onError = (uid: string, error: unknown) => {
      throw new Error(uid, { cause: error });
    };
    await startGarbageCollector({ resources: () => served, onError, resync: 5 }, stop.signal);
    try {
      await test({ trial, served, resource });
    } finally {
      stop.abort();
    }
  });
}

/** A config map that a secret owns. */
async function ownedBySecret(trial: Trial): Promise<void> {
  const { metadata } = await trial.create({ apiVersion: "v1", kind: "Secret", metadata: { name: "owner" } });
  const ownerReferences = [{ apiVersion: "v1", kind: "Secret", name: "owner", uid: metadata.uid }];
  await trial.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owned", ownerReferences } });
}

async function gone(resource: ServedResource, trial: Trial): Promise<void> {
  const context = { ...trial.context, namespace: NAMESPACE };
  for (let tries = 0; tries < 500; tries++) {
    if (await getIfThere(resource.storage, context, "owned") === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail("still there");
}

Deno.test("what an owner leaves behind goes, also when it went before its resource was followed", async (t) => {
  await t.step("followed", async () => {
    await withCollector(async ({ trial, served, resource }) => {
      served.add(resource("secrets"));
      await ownedBySecret(trial);
      const context = { ...trial.context, namespace: NAMESPACE };
      await resource("secrets").storage.delete!(context, "owner", {}, DELETE_OPTIONS);
      await gone(resource("configmaps"), trial);
    });
  });
  await t.step("not followed yet", async () => {
    await withCollector(async ({ trial, served, resource }) => {
      await ownedBySecret(trial);
      const context = { ...trial.context, namespace: NAMESPACE };
      await resource("secrets").storage.delete!(context, "owner", {}, DELETE_OPTIONS);
      served.add(resource("secrets"));
      await gone(resource("configmaps"), trial);
    });
  });
});
