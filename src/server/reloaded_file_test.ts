import assert from "node:assert/strict";
import { join } from "node:path";
import { reloadedFile } from "./reloaded_file.ts";

Deno.test("a file is read again when it changed, and what cannot be used is left out", async () => {
  const dir = await Deno.makeTempDir({ prefix: "kubelith-reload-" });
  const file = join(dir, "file");
  let time = 0, written = 0;
  const write = (text: string) => {
    Deno.writeTextFileSync(file, text);
    Deno.utimeSync(file, new Date(), new Date(++written * 1000));
  };
  write("1");
  const loads: string[] = [];
  const current = reloadedFile({
    file,
    text: "1",
    value: 1,
    now: () => time,
    load(text) {
      loads.push(text);
      return text === "bad" ? Promise.reject(new Error("bad")) : Promise.resolve(Number(text));
    },
  });
  const eventually = async (done: () => boolean) => {
    for (let i = 0; i < 5000 && !done(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.ok(done());
  };
  try {
    write("2");
    assert.equal(current(), 1);
    time += 10_000;
    await eventually(() => current() === 2);
    write("bad");
    time += 10_000;
    await eventually(() => current() === 2 && loads.includes("bad"));
    write("3");
    time += 10_000;
    await eventually(() => {
      time += 10_000;
      return current() === 3;
    });
    assert.deepEqual(loads, ["2", "bad", "3"]);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
