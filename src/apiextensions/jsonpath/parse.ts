// JSON paths as kubectl and CustomResourceDefinitions write them: `.spec.ports[0].name`, `.items[?(@.a=="b")]..c`.
// https://kubernetes.io/docs/reference/kubectl/jsonpath/
import type { Json } from "../../machinery/types.ts";

/** One step of a path. */
export type Step =
  | { kind: "field"; name: string }
  /** `[2]`, `[1:5:2]`; undefined: from the start, to the end, each. */
  | { kind: "slice"; from?: number; to?: number; step?: number; isIndex: boolean }
  | { kind: "union"; paths: readonly Path[] }
  | { kind: "everything" }
  | { kind: "recursive" }
  /** `operator` undefined: whether there is something on the left. */
  | { kind: "filter"; left: Path; operator?: string; right: Path }
  | { kind: "value"; value: Json };

export type Path = readonly Step[];

/** A text that is no path. */
export class JsonPathError extends Error {}

/** @param text without braces around it. Throws {@link JsonPathError}. */
export function parseJsonPath(text: string): Path {
  return new Parser(text).path();
}

const TERMINATORS = " \t\r\n.,[]$@{}";
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const DICTIONARY_KEY = /^'([^']*)'$/;
const COMPARISON = /^([^!<>=]+)([!<>=]+)(.+)$/s;

class Parser {
  readonly #steps: Step[] = [];
  #at = 0;

  constructor(readonly text: string) {}

  path(): Path {
    while (this.#at < this.text.length) this.#next();
    return this.#steps;
  }

  #next(): void {
    const c = this.text[this.#at];
    if (this.text.startsWith("[?(", this.#at)) this.#filter();
    else if (this.text.startsWith("..", this.#at)) this.#recursive();
    else if (c === " " || c === "@" || c === "$") this.#at++;
    else if (c === "[") this.#array();
    else if (c === '"' || c === "'") this.#quoted(c);
    else if (c === ".") {
      this.#at++;
      this.#field();
    } else if (/[-+\d]/.test(c)) this.#number();
    else if (/[\p{L}_]/u.test(c)) this.#word();
    else throw new JsonPathError(`unrecognized character in action: ${JSON.stringify(c)}`);
  }

  /** Up to the end of a name; a backslash takes the meaning off the character behind it. */
  #name(): string {
    const start = this.#at;
    for (; this.#at < this.text.length && !TERMINATORS.includes(this.text[this.#at]); this.#at++) {
      if (this.text[this.#at] === "\\") this.#at++;
    }
    return this.text.slice(start, this.#at);
  }

  #field(): void {
    const name = this.#name();
    this.#steps.push(name === "*" ? { kind: "everything" } : { kind: "field", name: name.replaceAll("\\", "") });
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.kind === "recursive") throw new JsonPathError("invalid multiple recursive descent");
    this.#at += 2;
    this.#steps.push({ kind: "recursive" });
    if (/[\p{L}\d_]/u.test(this.text[this.#at] ?? "")) this.#field();
  }

  #word(): void {
    const word = this.#name();
    if (word !== "true" && word !== "false") throw new JsonPathError(`unrecognized identifier ${word}`);
    this.#steps.push({ kind: "value", value: word === "true" });
  }

  #number(): void {
    const [text] = /^[-+]?[\d.]*/.exec(this.text.slice(this.#at))!;
    this.#at += text.length;
    const value = Number(text);
    if (!/\d/.test(text) || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    this.#steps.push({ kind: "value", value });
  }

  #quoted(quote: string): void {
    const start = ++this.#at;
    for (; this.text[this.#at] !== quote || this.text[this.#at - 1] === "\\"; this.#at++) {
      if (this.#at >= this.text.length) throw new JsonPathError("unterminated quoted string");
    }
    const value = this.text.slice(start, this.#at++).replace(/\\(["'\\])/g, "$1");
    this.#steps.push({ kind: "value", value });
  }

  #array(): void {
    const end = this.text.indexOf("]", this.#at);
    if (end < 0) throw new JsonPathError("unterminated array");
    const inside = this.text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const parts = inside.split(",");
    if (parts.length > 1) {
      this.#steps.push({ kind: "union", paths: parts.map((part) => parseJsonPath(`[${part.trim()}]`)) });
    } else this.#steps.push(...elementSteps(inside));
  }

  #filter(): void {
    const start = this.#at + 3;
    let quote = "";
    for (this.#at = start; quote !== "" || this.text[this.#at] !== ")"; this.#at++) {
      const c = this.text[this.#at];
      if (c === undefined || c === "\n") throw new JsonPathError("unterminated filter");
      if (quote === "" ? c === '"' || c === "'" : c === quote && this.text[this.#at - 1] !== "\\") {
        quote = quote === "" ? c : "";
      }
    }
    const condition = this.text.slice(start, this.#at++);
    if (this.text[this.#at++] !== "]") throw new JsonPathError("unclosed array expect ]");
    const compared = COMPARISON.exec(condition);
    this.#steps.push(
      compared === null ? { kind: "filter", left: parseJsonPath(condition), right: [] } : {
        kind: "filter",
        left: parseJsonPath(compared[1]),
        operator: compared[2],
        right: parseJsonPath(compared[3]),
      },
    );
  }
}

function elementSteps(inside: string): Path {
  if (inside === "*") return [{ kind: "slice", isIndex: false }];
  const key = DICTIONARY_KEY.exec(inside);
  if (key !== null) return parseJsonPath(`.${key[1]}`);
  const slice = SLICE.exec(inside);
  if (slice === null) throw new JsonPathError(`invalid array index ${inside}`);
  const number = (text: string | undefined) => text === undefined || text === "" ? undefined : Number(text);
  const from = number(slice[1]), to = number(slice[2]?.slice(1)), step = number(slice[3]?.slice(1));
  if (slice[2] === undefined) return [{ kind: "slice", from: from ?? 0, isIndex: true }];
  return [{ kind: "slice", from, to, step, isIndex: false }];
}
