import assert from "node:assert/strict";
import { grpcMessageOf, rpcErrorOf } from "./message.ts";

Deno.test("an error says what it is about, and no note that is empty", () => {
  const error = (message: string, details?: string) => Object.assign(new Error(message), { details });
  const refused = "No connection established. Last error: connect ECONNREFUSED 127.0.0.1:1";
  assert.equal(grpcMessageOf(error(`14 UNAVAILABLE: ${refused}`, `${refused}. Resolution note: `)), refused);
  const noted = "No addresses resolved. Resolution note: Name resolution failed for target dns:a:1";
  assert.equal(grpcMessageOf(error(noted)), noted);
  assert.equal(grpcMessageOf(error("plain", "")), "plain");
  assert.equal(
    rpcErrorOf(
      Object.assign(error("14 UNAVAILABLE: gone. Resolution note: ", "gone. Resolution note: "), { code: 14 }),
    ),
    "rpc error: code = Unavailable desc = gone",
  );
});
