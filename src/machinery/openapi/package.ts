// Reads the doc comments of the npm packages that declare Kubernetes' types for TypeScript.
import type { Descriptions, TypeDescription } from "./schemas.ts";

/** Their declarations of v1.36; named as in deno.json. */
const PACKAGES = ["kubernetes-models", "@kubernetes-models/apimachinery"];

/** By the names that the packages give to types. Throws when the packages cannot be had. */
export async function readPackage(): Promise<Descriptions> {
  const found: Record<string, TypeDescription> = {};
  for (const folder of await packageFolders()) await readFolder(folder, found);
  return found;
}

/** Brings the packages into Deno's cache, as an import of any of them does, and finds them there. */
async function packageFolders(): Promise<string[]> {
  const folders: string[] = [];
  const cache = await npmCache();
  for (const name of PACKAGES) {
    // Not written out, so that nothing is fetched before it is needed.
    const manifest = await import(`${name}/package.json`, { with: { type: "json" } });
    const { version } = manifest.default as { version: string };
    for await (const registry of Deno.readDir(cache)) {
      const folder = `${cache}/${registry.name}/${name}/${version}`;
      if (await exists(folder)) folders.push(folder);
    }
  }
  return folders;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function npmCache(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return (JSON.parse(new TextDecoder().decode(stdout)) as { npmCache: string }).npmCache;
}

async function readFolder(folder: string, found: Record<string, TypeDescription>): Promise<void> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    // What begins with an underscore or a dot declares no types.
    if (entry.isDirectory) { if (!/^[_.]|^node_modules$/.test(entry.name)) await readFolder(path, found); }
    else if (entry.name.endsWith(".d.ts")) readDeclaration(await Deno.readTextFile(path), found);
  }
}

const COMMENT = String.raw`\/\*\*\n((?: *\*.*\n)*?) *\*\/\n`;
const TYPE = new RegExp(`^${COMMENT}export (?:interface|type|declare class) I?\\w+`, "m");
const FIELD = new RegExp(`^ {4}${COMMENT} {4}"([^"]+)"\\??:`, "gm");

/** Takes the comments out of one declaration file. */
export function readDeclaration(text: string, found: Record<string, TypeDescription>): void {
  const name = /\bas IIo(\w+)/.exec(text)?.[1];
  if (name === undefined) return;
  const fields: Record<string, string> = {};
  // What follows the interface repeats it.
  const end = text.indexOf("\nexport declare class");
  for (const [, comment, field] of text.slice(0, end < 0 ? undefined : end).matchAll(FIELD)) {
    fields[field] = plain(comment);
  }
  const about = TYPE.exec(text)?.[1];
  found[`Io${name}`] = about === undefined ? { fields } : { text: plain(about), fields };
}

/** The text of a comment without its stars. */
function plain(comment: string): string {
  return comment.split("\n").map((line) => line.replace(/^ *\* ?/, "")).join("\n").trim();
}
