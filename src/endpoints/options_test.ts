import assert from "node:assert/strict";
import type { StatusError } from "../machinery/errors.ts";
import {
  decodeDeleteOptions,
  decodeListQuery,
  decodeWriteOptions,
  fieldManagerOf,
  validateDeleteOptions,
} from "./options.ts";
import { parseQuery } from "./query.ts";

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as StatusError).message;
  }
  throw new assert.AssertionError({ message: "nothing was refused" });
}

const list = (query: string) => decodeListQuery(parseQuery(query));
const write = (query: string, kind = "CreateOptions", apply = false) =>
  decodeWriteOptions(parseQuery(query), kind, apply);

Deno.test("list options", () => {
  assert.equal(list("limit=5&labelSelector=a").limit, 5);
  assert.equal(list("limit=-1").limit, 0);
  assert.equal(refusal(() => list("limit=")), 'strconv.ParseInt: parsing "": invalid syntax');
  assert.equal(
    refusal(() => list("limit=99999999999999999999")),
    'strconv.ParseInt: parsing "99999999999999999999": value out of range',
  );
  assert.match(refusal(() => list("resourceVersionMatch=Exact")), /forbidden unless resourceVersion is provided$/);
  assert.match(refusal(() => list("sendInitialEvents=1")), /sendInitialEvents is forbidden for list$/);
});

Deno.test("a watch from nowhere begins with what there is", () => {
  assert.equal(list("watch=1").sendInitialEvents, true);
  assert.equal(list("watch=1&resourceVersion=0").sendInitialEvents, true);
  assert.equal(list("watch=1&resourceVersion=7").sendInitialEvents, undefined);
  assert.match(refusal(() => list("watch=1&sendInitialEvents=true")), /requires setting resourceVersionMatch/);
});

Deno.test("write options and who owns the fields", () => {
  assert.equal(write("").fieldValidation, "Warn");
  assert.deepEqual(write("dryRun=All&fieldManager=m").object, {
    kind: "CreateOptions",
    apiVersion: "meta.k8s.io/v1",
    dryRun: ["All"],
    fieldManager: "m",
  });
  assert.match(refusal(() => write("dryRun=")), /dryRun: Unsupported value: \[""\]: supported values: "All"$/);
  assert.match(refusal(() => write("fieldManager=a%0Ab")), /invalid character U\+000A \(at position 1\)$/);
  assert.match(refusal(() => write("force=1", "PatchOptions")), /force: Forbidden: may not be specified for non-apply/);
  assert.match(refusal(() => write("", "PatchOptions", true)), /fieldManager: Required value: is required for apply/);
  assert.equal(fieldManagerOf(write(""), "kubectl/v1.36 (linux)"), "kubectl");
  assert.equal(fieldManagerOf(write("fieldManager=me"), "kubectl/v1.36"), "me");
  assert.equal(fieldManagerOf(write(""), "\u0001ä".repeat(100)), "ä".repeat(64));
});

Deno.test("delete options", () => {
  const decode = (query: string) => {
    const options = decodeDeleteOptions(parseQuery(query));
    validateDeleteOptions(options);
    return options;
  };
  assert.deepEqual(decode("gracePeriodSeconds=-5&propagationPolicy=Orphan"), {
    gracePeriodSeconds: -5,
    propagationPolicy: "Orphan",
  });
  assert.match(
    refusal(() => decode("propagationPolicy=Sometime")),
    /supported values: "Foreground", "Background", "Orphan", "nil"$/,
  );
  assert.match(refusal(() => decode("propagationPolicy=Orphan&orphanDependents=1")), /cannot be both set$/);
});
