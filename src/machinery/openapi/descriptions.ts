// Descriptions of types and fields, as `kubectl explain` shows them: the doc comments of an npm package, read when they
// are first asked for. A bundle carries them with it (`deno task bundle`).
import type { Descriptions } from "./schemas.ts";

/** Where a bundle keeps them: base64 of gzipped JSON. */
export const EMBEDDED = "kubelithDescriptions";

let loaded: Promise<Descriptions> | undefined;

/** Empty when they cannot be had: documents are whole without them. */
export function loadDescriptions(): Promise<Descriptions> {
  return loaded ??= load();
}

async function load(): Promise<Descriptions> {
  const embedded = (globalThis as Record<string, unknown>)[EMBEDDED];
  try {
    if (typeof embedded === "string") return await unpack(embedded);
    const { readPackage } = await import("./package.ts");
    return await readPackage();
  } catch {
    return {};
  }
}

async function unpack(text: string): Promise<Descriptions> {
  const packed = new Blob([Uint8Array.fromBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(packed).json();
}

/** What {@link loadDescriptions} finds in a bundle. */
export async function pack(descriptions: Descriptions): Promise<string> {
  const packed = new Blob([JSON.stringify(descriptions)]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer()).toBase64();
}
