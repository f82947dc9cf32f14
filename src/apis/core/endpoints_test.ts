import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

Deno.test("endpoints are addresses that can be reached, with ports that have names where there are several", async () => {
  const subsets = [{ addresses: [{ ip: "127.0.0.1" }, { ip: "x" }], ports: [{ port: 0 }, { name: "a", port: 1 }] }, {}];
  await withTrial(async (trial) => {
    assert.deepEqual(await trial.refusals({ apiVersion: "v1", kind: "Endpoints", subsets }), [
      'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'subsets[0].addresses[1].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'subsets[0].addresses[1].ip: Invalid value: "x": must be a valid IP address',
      "subsets[0].ports[0].name: Required value",
      "subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
      "subsets[1]: Required value: must specify `addresses` or `notReadyAddresses`",
    ]);
    assert.deepEqual(
      await trial.refusals({
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        addressType: "IPv4",
        endpoints: [{ addresses: ["::1"] }, { addresses: [] }],
      }),
      [
        'endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address',
        'endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        "endpoints[1].addresses: Required value: must contain at least 1 address",
      ],
    );
  });
});
