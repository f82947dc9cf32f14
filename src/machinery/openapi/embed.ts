// Puts the descriptions into a bundle, in front of its code: `deno run -A src/machinery/openapi/embed.ts FILE`. The bundle
// is all ASCII then: with one letter beyond Latin-1 every thread would keep two bytes for each character of the program.
import { EMBEDDED, pack } from "./descriptions.ts";
import { readPackage } from "./package.ts";

const [file] = Deno.args;
const packed = await pack(await readPackage());
const program = (await Deno.readTextFile(file)).replace(
  /[\u0080-\uffff]/g,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
);
await Deno.writeTextFile(file, `globalThis.${EMBEDDED}=${JSON.stringify(packed)};\n${program}`);
