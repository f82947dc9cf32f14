import assert from "node:assert/strict";
import { formatDuration, humanDuration, parseDuration } from "./duration.ts";
import { canonicalMicroTime, canonicalTime, parseTime, TimeError } from "./time.ts";

Deno.test("times become UTC in whole seconds", () => {
  assert.equal(canonicalTime("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05Z");
  assert.equal(canonicalTime("2026-01-02T03:04:05.999+02:00"), "2026-01-02T01:04:05Z");
  assert.equal(canonicalTime("0001-01-01T00:00:00Z"), null);
  assert.equal(canonicalTime("2024-02-29T00:00:00Z"), "2024-02-29T00:00:00Z");
  assert.equal(parseTime("yesterday"), undefined);
  assert.equal(canonicalMicroTime("2026-01-02T03:04:05.000100+01:00"), "2026-01-02T02:04:05.000100Z");
  assert.equal(parseTime("1970-01-01T00:00:01Z"), 1000);
});

Deno.test("what is no time is told where", () => {
  const seconds = "2006-01-02T15:04:05Z07:00", micro = "2006-01-02T15:04:05.000000Z07:00";
  const cases: [(text: string) => unknown, string, string][] = [
    [canonicalTime, "2024-05-06 07:08", `as "${seconds}": cannot parse " 07:08" as "T"`],
    [canonicalTime, "", `as "${seconds}": cannot parse "" as "2006"`],
    [canonicalTime, "2026-13-01T00:00:00Z", ": month out of range"],
    [canonicalTime, "2026-02-29T00:00:00Z", ": day out of range"],
    [canonicalTime, "2026-02-20T00:00:00Zx", ': extra text: "x"'],
    [canonicalMicroTime, "2024-05-06T07:08:09Z", `as "${micro}": cannot parse "Z" as ".000000"`],
  ];
  for (const [parse, text, why] of cases) {
    const message = `parsing time "${text}"${why.startsWith(":") ? "" : " "}${why}`;
    assert.throws(() => parse(text), (e) => e instanceof TimeError && (assert.equal(e.message, message), true));
  }
});

Deno.test("durations are read and written as Go does", () => {
  for (const [text, ms] of [["1m30s", 90_000], ["1.5h", 5_400_000], ["-2ms", -2], ["0", 0], ["300us", 0.3]] as const) {
    assert.equal(parseDuration(text), ms);
  }
  for (const bad of ["", "1", "1d", "s", "1m 2s"]) assert.equal(parseDuration(bad), undefined);
  assert.equal(formatDuration(90_000), "1m30s");
  assert.equal(formatDuration(3_600_000), "1h0m0s");
  assert.equal(formatDuration(150), "150ms");
  assert.equal(formatDuration(0.3), "300µs");
});

Deno.test("ages have at most two units", () => {
  const s = 1000, m = 60 * s, h = 60 * m, d = 24 * h;
  const cases: [number, string][] = [
    [0, "0s"],
    [119 * s, "119s"],
    [2 * m, "2m"],
    [3 * m + 4 * s, "3m4s"],
    [10 * m + 5 * s, "10m"],
    [3 * h + 10 * m, "3h10m"],
    [9 * h, "9h"],
    [2 * d + 5 * h, "2d5h"],
    [8 * d + 3 * h, "8d"],
    [800 * d, "2y70d"],
    [-5 * s, "<invalid>"],
  ];
  for (const [ms, want] of cases) assert.equal(humanDuration(ms), want);
});
