import assert from "node:assert/strict";
import { cronProblem, isTimeZone, validateTimeZone } from "./cron.ts";
import { collect } from "./field.ts";

Deno.test("good schedules", () => {
  for (
    const spec of [
      "* * * * *",
      "*/5 0-23/2 1,15 JAN-dec mon-fri",
      "0 0 ? * 0",
      "@daily",
      "@every 1h30m",
      "TZ=UTC 0 0 * * *",
    ]
  ) {
    assert.equal(cronProblem(spec), undefined, spec);
  }
});

Deno.test("what is wrong with a schedule", () => {
  const cases: Record<string, string> = {
    "": "empty spec string",
    "* * * *": "expected exactly 5 fields, found 4: [* * * *]",
    "60 * * * *": "end of range (60) above maximum (59): 60",
    "5-1 * * * *": "beginning of range (5) beyond end of range (1): 5-1",
    "* * 0 * *": "beginning of range (0) below minimum (1): 0",
    "*/0 * * * *": "step of range should be a positive number: */0",
    "a * * * *": 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax',
    "@sometimes": "unrecognized descriptor: @sometimes",
    "TZ=0": "invalid schedule format: runtime error: slice bounds out of range [:-1]",
  };
  for (const [spec, problem] of Object.entries(cases)) assert.equal(cronProblem(spec), problem);
});

Deno.test("time zones are known by their exact names", () => {
  assert.ok(isTimeZone("Europe/Berlin"));
  assert.ok(isTimeZone("US/Pacific"));
  assert.ok(!isTimeZone("europe/berlin"));
  assert.ok(!isTimeZone("Mars/Base"));
  assert.equal(collect((at) => validateTimeZone("Mars/Base", at))[0].detail, "unknown time zone Mars/Base");
});
