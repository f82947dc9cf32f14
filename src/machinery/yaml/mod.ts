// YAML 1.1 as the API reads it: the first document of a text, understood as Go's yaml.v2 does. The library finds the
// nodes; what plain scalars mean, how keys become names and how merges work is decided here.
import type * as library from "yaml";
import { parseJson } from "../codec/parse.ts";
import { goQuote } from "../go_text.ts";
import type { Json, JsonObject } from "../types.ts";
import { problemOf } from "./problem.ts";
import { nameOfKey, scalarOf, type YamlScalar } from "./scalar.ts";

/** Text that is no YAML, or none that could be JSON; the message is the one of the API's parser. */
export class YamlError extends Error {}

export interface ParsedYaml {
  value: Json;
  /** `line 6: key "k" already set in map` for every key that is there twice; the last one counts. */
  duplicates: string[];
}

/** Throws {@link YamlError}. The library is loaded for texts that are no JSON. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  const json = jsonOfYaml(text);
  if (json !== undefined) return { value: json, duplicates: [] };
  const { Composer, Lexer, LineCounter, Parser, ...kinds } = await import("yaml");
  const lines = new LineCounter();
  const composer = new Composer({
    version: "1.1",
    schema: "failsafe",
    uniqueKeys: false,
    strict: false,
    logLevel: "silent",
    prettyErrors: false,
  });
  lines.addNewLine(0);
  const tokens = tokensOf(limited(new Lexer().lex(text)), new Parser(lines.addNewLine));
  // Only as much is parsed as the first document needs.
  const document = composer.compose(tokens, true, text.length).next().value;
  if (document === undefined || document.contents === null) return { value: null, duplicates: [] };
  const lineOf = (at: number) => lines.linePos(at).line;
  for (const error of document.errors) {
    const problem = problemOf(error, { text, lineOf, contents: document.contents as library.Node, kinds });
    if (problem !== undefined) throw new YamlError(`yaml: ${problem}`);
  }
  return new Reader(document, kinds, lineOf).read();
}

/** So many words and marks a text may have: one takes some hundred bytes of memory. */
const MAX_LEXEMES = 1_000_000;

function* limited(lexemes: Iterable<string>): Generator<string> {
  let left = MAX_LEXEMES;
  for (const lexeme of lexemes) {
    if (left-- === 0) throw new YamlError("yaml: document has too many tokens");
    yield lexeme;
  }
}

function* tokensOf(lexemes: Iterable<string>, parser: library.Parser): Generator<library.CST.Token> {
  for (const lexeme of lexemes) yield* parser.next(lexeme);
  yield* parser.end();
}

/** The value of YAML that is JSON: most of what is sent as YAML. Undefined for other texts. */
export function jsonOfYaml(text: string): Json | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const { value, repeats } = parseJson(text);
    return repeats ? undefined : value;
  } catch {
    return undefined;
  }
}

/** How the library tells kinds of nodes apart. */
export type NodeKinds = Pick<typeof library, "isAlias" | "isMap" | "isScalar" | "isSeq">;

/** Aliases may not blow a document up beyond this many nodes. */
const MAX_NODES = 1_000_000;

class Reader {
  readonly #duplicates: string[] = [];
  /** Anchors whose values are being read. */
  readonly #open = new Set<string>();
  /** What an anchor stands for so far. The library looks through the document for each alias. */
  readonly #anchors = new Map<string, library.Node>();
  /** Aliases that are being followed: what is behind them has been seen before. */
  #following = 0;
  #nodes = 0;

  constructor(
    readonly document: library.Document.Parsed,
    readonly kinds: NodeKinds,
    readonly lineOf: (at: number) => number,
  ) {}

  read(): ParsedYaml {
    return { value: this.#value(this.document.contents), duplicates: this.#duplicates };
  }

  #value(node: unknown): Json {
    if (++this.#nodes > MAX_NODES) throw new YamlError("yaml: document contains excessive aliasing");
    const { isAlias, isMap, isScalar, isSeq } = this.kinds;
    if (isAlias(node)) {
      this.#following++;
      const value = this.#value(this.#target(node));
      this.#following--;
      return value;
    }
    const anchor = this.#note(node as library.Node | null);
    if (anchor !== undefined) {
      if (this.#open.has(anchor)) throw new YamlError(`yaml: anchor '${anchor}' value contains itself`);
      this.#open.add(anchor);
    }
    let value: Json = null;
    if (isScalar(node)) value = jsonOf(this.#scalar(node));
    else if (isSeq(node)) value = node.items.map((item) => this.#value(item));
    else if (isMap(node)) value = this.#mapping(node);
    if (anchor !== undefined) this.#open.delete(anchor);
    return value;
  }

  #target(alias: library.Alias): library.Node {
    if (this.#open.has(alias.source)) throw new YamlError(`yaml: anchor '${alias.source}' value contains itself`);
    const target = this.#anchors.get(alias.source);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${alias.source}' referenced`);
    return target;
  }

  /** Gives the node's anchor, which from here on stands for it. */
  #note(node: library.Node | null): string | undefined {
    const anchor = (node as { anchor?: string } | null)?.anchor;
    if (anchor !== undefined && this.#following === 0) this.#anchors.set(anchor, node!);
    return anchor;
  }

  #scalar({ source = "", tag, type }: library.Scalar): YamlScalar {
    const scalar = scalarOf(source, { tag, plain: type === "PLAIN" || type === undefined });
    if (typeof scalar === "object" && scalar !== null) throw new YamlError(`yaml: ${scalar.problem}`);
    return scalar;
  }

  /** The object with its members in the order of their names. */
  #mapping(map: library.YAMLMap): JsonObject {
    const members = new Map<YamlScalar, Json>();
    this.#readInto(map, members);
    const named: [string, Json][] = [];
    for (const [key, value] of members) {
      if (key === null) {
        throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${JSON.stringify(value)}`);
      }
      named.push([nameOfKey(key), value]);
    }
    return Object.fromEntries(named.sort(([a], [b]) => a < b ? -1 : 1));
  }

  #readInto(map: library.YAMLMap, members: Map<YamlScalar, Json>): void {
    for (const { key, value } of map.items as library.Pair<library.Node, library.Node | null>[]) {
      if (this.#isMerge(key)) {
        this.#merge(value, members);
        continue;
      }
      const name = this.#key(key), read = this.#value(value);
      if (members.has(name)) {
        const shown = typeof name === "string" ? goQuote(name) : String(name);
        const at = value?.range?.[0] ?? key.range?.[0] ?? 0;
        this.#duplicates.push(`line ${this.lineOf(at)}: key ${shown} already set in map`);
      }
      members.set(name, read);
    }
  }

  #key(key: library.Node | null): YamlScalar {
    if (key === null) return null;
    const node = this.kinds.isAlias(key) ? this.#target(key) : key;
    if (node === key) this.#note(key);
    if (this.kinds.isScalar(node)) return this.#scalar(node);
    throw new YamlError(`yaml: invalid map key: ${JSON.stringify(this.#value(node))}`);
  }

  #isMerge(key: library.Node | null): boolean {
    return this.kinds.isScalar(key) && key.source === "<<" && key.type === "PLAIN" && key.tag === undefined;
  }

  /** Of several, the earlier ones win. */
  #merge(value: library.Node | null, members: Map<YamlScalar, Json>): void {
    const node = this.kinds.isAlias(value) ? this.#target(value) : value;
    if (node === value) this.#note(value);
    if (this.kinds.isMap(node)) return this.#readInto(node, members);
    if (!this.kinds.isSeq(node)) {
      throw new YamlError("yaml: map merge requires map or sequence of maps as the value");
    }
    for (const item of [...node.items].reverse()) {
      const part = this.kinds.isAlias(item) ? this.#target(item) : item;
      if (!this.kinds.isMap(part)) {
        throw new YamlError("yaml: map merge requires map or sequence of maps as the value");
      }
      this.#readInto(part, members);
    }
  }
}

function jsonOf(scalar: YamlScalar): Json {
  if (typeof scalar !== "number" || Number.isFinite(scalar)) return scalar;
  const shown = Number.isNaN(scalar) ? "NaN" : scalar > 0 ? "+Inf" : "-Inf";
  throw new YamlError(`json: unsupported value: ${shown}`);
}
