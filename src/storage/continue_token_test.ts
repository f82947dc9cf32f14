import assert from "node:assert/strict";
import { hasReason } from "../machinery/errors.ts";
import { decodeContinue, encodeContinue } from "./continue_token.ts";

Deno.test("a token leads back to where it was made", () => {
  const token = encodeContinue("/registry/pods/ns/a\0", "/registry/pods/ns/", 42);
  assert.equal(token, "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NDIsInN0YXJ0IjoiYVx1MDAwMCJ9");
  assert.deepEqual(decodeContinue(token, "/registry/pods/ns/"), { start: "/registry/pods/ns/a\0", revision: 42 });
});

const REFUSED: [string, string][] = [
  ["***", "illegal base64 data at input byte 0"],
  [" ", "illegal base64 data at input byte 0"],
  ["aGVsbG8", "invalid character 'h' looking for beginning of value"],
  [
    "eyJ2IjoibWV0YS5rOHMuaW8vdjkiLCJydiI6NSwic3RhcnQiOiJhXHUwMDAwIn0",
    "server does not recognize this encoded version meta.k8s.io/v9",
  ],
  ["eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIuLi9zZWNyZXRzL2FcdTAwMDAifQ", "../secrets/a\0"],
  [btoa('{"v":"meta.k8s.io/v1","start":"a"}'), "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"],
  [btoa('{"v":"meta.k8s.io/v1","rv":1}').replaceAll("=", ""), "encoded start key empty (version meta.k8s.io/v1)"],
  [btoa("[]"), "json: cannot unmarshal array into Go value of type storage.continueToken"],
  [btoa('{"v":1}'), "json: cannot unmarshal number into Go struct field continueToken.v of type string"],
  [
    btoa('{"v":"meta.k8s.io/v1","rv":1.5,"start":"a"}'),
    "json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64",
  ],
  [
    btoa('{"v":"meta.k8s.io/v1","rv":"5","start":"a"}'),
    "json: cannot unmarshal string into Go struct field continueToken.rv of type int64",
  ],
  [
    btoa('{"v":"meta.k8s.io/v1","rv":5,"start":true}'),
    "json: cannot unmarshal bool into Go struct field continueToken.start of type string",
  ],
];

for (const [token, why] of REFUSED) {
  Deno.test(`a bad token is refused: ${JSON.stringify(why)}`, () => {
    assert.throws(
      () => decodeContinue(token.replaceAll("=", ""), "/registry/pods/ns/"),
      (e) => hasReason(e, "BadRequest") && e.message === `invalid continue token: continue key is not valid: ${why}`,
    );
  });
}
