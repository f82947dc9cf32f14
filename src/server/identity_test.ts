import assert from "node:assert/strict";
import { serverId } from "./identity.ts";

Deno.test("a server has the name that kube-apiserver gives itself on the same host", () => {
  assert.equal(serverId("vm"), "apiserver-wlv32tlttr4jl3gtroqexyxapa");
});
