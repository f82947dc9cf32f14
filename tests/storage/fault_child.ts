// Storage by command: each line of the input is one, and is answered by one line.
//   create NAME BYTES   get NAME   count   close
import { createStorage } from "../../src/storage/mod.ts";
import type { KubeObject } from "../../src/machinery/types.ts";
import { PREFIX, WIDGETS } from "./resources.ts";

const factory = await createStorage({
  engine: {
    backend: "sqlite",
    path: Deno.args[0],
    workerUrl: new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url),
  },
});
const { storage } = factory.forResource(WIDGETS);

function widget(name: string, bytes: number): KubeObject {
  const noise = crypto.getRandomValues(new Uint8Array(Math.min(bytes, 60_000)));
  const text = btoa(String.fromCharCode(...noise)).slice(0, bytes);
  return { kind: "Widget", apiVersion: "example.test/v1", metadata: { name, uid: `uid-${name}` }, spec: { text } };
}

async function run([command, name, bytes]: string[]): Promise<unknown> {
  switch (command) {
    case "create":
      return (await storage.create(PREFIX + name, widget(name, Number(bytes)))).revision;
    case "get":
      return (await storage.get(PREFIX + name)).object().spec.text.length;
    case "count":
      return await storage.count(PREFIX);
    case "close":
      return await factory.close();
    default:
      throw new Error(`unknown command ${command}`);
  }
}

console.log("ready");
let input = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  input += text;
  for (let end = input.indexOf("\n"); end >= 0; end = input.indexOf("\n")) {
    const line = input.slice(0, end);
    input = input.slice(end + 1);
    console.log(await run(line.split(" ")).then((result) => `ok ${result}`, (error) => `error ${error.message}`));
  }
}
