import assert from "node:assert/strict";
import { unifiedDiff } from "./unified_diff.ts";

Deno.test("nothing to say about equal texts", () => {
  assert.equal(unifiedDiff("a\nb", "a\nb"), "");
});

Deno.test("changes come with three lines around them", () => {
  assert.equal(
    unifiedDiff("1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nfive\n6\n7\n8\n9"),
    "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
});

Deno.test("changes far from each other are apart", () => {
  const lines = Array.from({ length: 30 }, (_, i) => String(i));
  const changed = lines.map((line) => line === "2" || line === "25" ? `${line}!` : line);
  assert.equal(
    unifiedDiff(lines.join("\n"), changed.join("\n")),
    "@@ -1,6 +1,6 @@\n 0\n 1\n-2\n+2!\n 3\n 4\n 5\n@@ -23,7 +23,7 @@\n 22\n 23\n 24\n-25\n+25!\n 26\n 27\n 28\n",
  );
});
