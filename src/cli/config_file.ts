// The file of --config: JSON with comments whose members are flags.
import type { ParseError } from "jsonc-parser";
import { fileProblem } from "./flags/files.ts";
import { type FlagSet, normalizeName, setFlag, UsageError } from "./flags/parse.ts";

/**
 * Adds what the file says about flags that `values` knows nothing of yet. Lists stand for flags that are given several
 * times, objects for `key=value` pairs. Throws a UsageError that names file and member.
 */
export async function readConfigFile(file: string, flags: FlagSet, values: Map<string, unknown>): Promise<void> {
  const members = await parseMembers(file);
  const found = new Map<string, unknown>();
  for (const [key, value] of Object.entries(members)) {
    const name = normalizeName(key);
    const wrong = (why: string) => new UsageError(`--config=${file}: ${why}`);
    if (name === "config") throw wrong(`"config" cannot be given in the file itself`);
    try {
      const flag = flags.lookup(name);
      if (flag === undefined) throw wrong(`unknown flag: ${JSON.stringify(key)}`);
      for (const text of texts(value, key)) setFlag(name, flag, { text, values: found });
    } catch (e) {
      if (e instanceof UsageError && !e.message.startsWith("--config")) throw wrong(e.message);
      throw e;
    }
  }
  for (const [name, value] of found) if (!values.has(name)) values.set(name, value);
}

async function parseMembers(file: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    // Some editors begin a file with a byte order mark.
    text = Deno.readTextFileSync(file).replace(/^\ufeff/, "");
  } catch (e) {
    throw new UsageError(`--config=${file}: ${fileProblem(e)}`);
  }
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) {
    const { error, offset } = errors[0], lines = text.slice(0, offset).split("\n");
    const where = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
    throw new UsageError(`--config=${file}: ${where}: ${inWords(printParseErrorCode(error))}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`--config=${file}: must hold a JSON object whose members are flags`);
  }
  return value;
}

/** `CloseBraceExpected` is `close brace expected`. */
function inWords(code: string): string {
  return code.replace(/(?<=.)[A-Z]/g, " $&").toLowerCase();
}

/** The texts that a member stands for, as they would be on the command line. */
function texts(value: unknown, key: string): string[] {
  switch (typeof value) {
    case "string":
      return [value];
    case "number":
    case "boolean":
      return [String(value)];
    case "object":
      if (Array.isArray(value)) return value.flatMap((item) => texts(item, key));
      if (value !== null) return [Object.entries(value).map(([k, v]) => `${k}=${texts(v, key)[0] ?? ""}`).join(",")];
  }
  throw new UsageError(`${JSON.stringify(key)} must be a string, a number, a boolean, a list or an object`);
}
