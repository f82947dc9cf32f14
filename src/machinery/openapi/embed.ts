// Puts the descriptions into a bundle, in front of its code: `deno run -A src/machinery/openapi/embed.ts FILE`.
import { EMBEDDED, pack } from "./descriptions.ts";
import { readPackage } from "./package.ts";

const [file] = Deno.args;
const packed = await pack(await readPackage());
await Deno.writeTextFile(file, `globalThis.${EMBEDDED}=${JSON.stringify(packed)};\n${await Deno.readTextFile(file)}`);
