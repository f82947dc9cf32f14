import assert from "node:assert/strict";
import { formatSummaries, summarize } from "./log_summary.ts";

Deno.test("lines of one class are counted together, whatever they are about", () => {
  const log = [
    `I1130 12:00:00.000001   123 server.go:1] "Starting"`,
    `E1130 12:00:01.000001   123 set.go:12] "Sync" err="set \\"web-7ccfc856b8\\" at 41 of node-1" key="a/web"`,
    `E1130 12:00:02.000001   123 set.go:12] "Sync" err="set \\"web-565cdc8fd5\\" at 1042 of node-2" key="b/web"`,
    `W1130 12:00:03.000001   123 options.go:205] The file is empty`,
    `{"time":"2026-11-30T12:00:04.5Z","level":"ERROR","msg":"failed","pod":"a/b","err":"pods \\"web-7ccfc856b8-x2vlp\\" gone"}`,
    `{"time":"2026-11-30T12:00:05.5Z","level":"INFO","msg":"done"}`,
    "",
  ].join("\n");
  assert.deepEqual([...summarize(log)], [
    [`E set.go: "Sync" err="set \\"<generated>\\" at <n> of <node>"`, 2],
    ["W options.go: The file is empty", 1],
    [`E failed: pods "<generated>" gone`, 1],
  ]);
});

Deno.test("summaries stand side by side, the most frequent class first", () => {
  const [a, b] = [new Map([["E x", 1]]), new Map([["E y", 2], ["E x", 4]])];
  assert.equal(formatSummaries([a, b]), "     1     4  E x\n     0     2  E y");
});
