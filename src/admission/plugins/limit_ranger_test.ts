import assert from "node:assert/strict";
import { createAdmissionChain } from "../chain.ts";
import { contextOf, lookupOf, requestOf } from "../testing.ts";
import { limitRanger } from "./limit_ranger.ts";

function plugin(...limits: Record<string, unknown>[]) {
  const limitranges = [{ metadata: { name: "l", namespace: "n" }, spec: { limits } }];
  return limitRanger(contextOf({ lookup: lookupOf({ limitranges }) }));
}

function pod(...resources: Record<string, unknown>[]) {
  return requestOf({ object: { spec: { containers: resources.map((r, i) => ({ name: `c${i}`, resources: r })) } } });
}

async function why(limit: Record<string, unknown>, ...resources: Record<string, unknown>[]): Promise<string> {
  try {
    await plugin(limit).validate!(pod(...resources));
    return "";
  } catch (e) {
    return (e as Error).message.replace('pods "p" is forbidden: ', "");
  }
}

Deno.test("defaults fill in what a container does not say, and are noted", async () => {
  const request = pod({ requests: { cpu: "5m" } }, {});
  await plugin({ type: "Container", default: { cpu: "1", memory: "1Gi" }, defaultRequest: { cpu: "10m" } }).admit!(
    request,
  );
  const { metadata, spec } = request.object!;
  assert.deepEqual(spec.containers[0].resources, { requests: { cpu: "5m" }, limits: { cpu: "1", memory: "1Gi" } });
  assert.deepEqual(spec.containers[1].resources.requests, { cpu: "10m" });
  assert.equal(
    metadata.annotations!["kubernetes.io/limit-ranger"],
    "LimitRanger plugin set: cpu, memory limit for container c0; cpu request for container c1; cpu, memory limit for container c1",
  );
});

Deno.test("containers and pods stay between minimum and maximum", async () => {
  const max = { type: "Container", max: { cpu: "1" } };
  assert.equal(
    await why(max, { limits: { cpu: "1001m" } }),
    "maximum cpu usage per Container is 1, but limit is 1001m",
  );
  assert.equal(await why(max, {}), "maximum cpu usage per Container is 1.  No limit is specified");
  assert.equal(
    await why({ type: "Container", min: { memory: "1Gi" } }, { requests: { memory: "1Mi" } }),
    "minimum memory usage per Container is 1Gi, but request is 1Mi",
  );
  const pair = [{ limits: { cpu: "600m" } }, { limits: { cpu: "600m" } }];
  assert.equal(
    await why({ type: "Pod", max: { cpu: "1" } }, ...pair),
    "maximum cpu usage per Pod is 1, but limit is 1200m",
  );
});

Deno.test("limits are no more than a multiple of requests", async () => {
  const ratio = { type: "Container", maxLimitRequestRatio: { cpu: "2" } };
  assert.equal(await why(ratio, { requests: { cpu: "100m" }, limits: { cpu: "200m" } }), "");
  assert.equal(
    await why(ratio, { requests: { cpu: "100m" }, limits: { cpu: "250m" } }),
    "cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000",
  );
  assert.match(await why(ratio, { limits: { cpu: "1" } }), /but no request is specified or request is 0/);
});

Deno.test("updates of pods are looked at when they resize, and not while the pod goes", async () => {
  const big = { spec: { containers: [{ name: "c", resources: { limits: { cpu: "9" } } }] } };
  const { validate } = createAdmissionChain([plugin({ type: "Container", max: { cpu: "1" } })]);
  const update = { operation: "UPDATE", object: big, oldObject: requestOf().object } as const;
  await validate(requestOf(update));
  await assert.rejects(async () => await validate(requestOf({ ...update, subresource: "resize" })), /maximum cpu/);
  const going = requestOf({ ...update, subresource: "resize" });
  going.oldObject!.metadata.deletionTimestamp = "2024-01-01T00:00:00Z";
  await validate(going);
});
