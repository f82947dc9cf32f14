// JSON data as YAML in the form that the API answers: keys sorted, lists not indented, long text folded.
import { isObject, type Json, type JsonObject } from "../types.ts";
import { scalarOf } from "./scalar.ts";

/** Lines are folded at the first space behind this column. */
const WIDTH = 80;
const INDENT = 2;
/** Longer keys are written with a question mark before them, which cannot happen to names of fields. */
const MAX_SIMPLE_KEY = 128;

/** The document with a line break at its end. */
export function writeYaml(value: Json): string {
  const writer = new Writer();
  writer.node(value, 0, false);
  return writer.text + "\n";
}

class Writer {
  text = "";
  /** Where the next character goes. */
  #column = 0;

  /** @param inline the node stands behind `key:` or `-` on the same line */
  node(value: Json, indent: number, inline: boolean): void {
    if (Array.isArray(value) && value.length > 0) this.#list(value, indent);
    else if (isObject(value) && Object.keys(value).length > 0) this.#map(value, indent);
    else {
      if (inline) this.#put(" ");
      this.#scalar(value, indent);
    }
  }

  #map(map: JsonObject, indent: number): void {
    let first = true;
    for (const name of Object.keys(map).sort(compareKeys)) {
      const value = map[name];
      if (value === undefined) continue;
      if (!first) this.#line(indent);
      first = false;
      this.#key(name, indent);
      // Lists stand below their key, maps one step further in.
      if (Array.isArray(value) && value.length > 0) this.#line(indent);
      else if (isObject(value) && Object.keys(value).length > 0) this.#line(indent + INDENT);
      this.node(value, Array.isArray(value) && value.length > 0 ? indent : indent + INDENT, true);
    }
  }

  #key(name: string, indent: number): void {
    const simple = name.length <= MAX_SIMPLE_KEY && !name.includes("\n");
    if (!simple) this.#put("? ");
    this.#string(name, indent, simple);
    if (!simple) this.#line(indent);
    this.#put(":");
  }

  #list(list: readonly Json[], indent: number): void {
    for (const [index, value] of list.entries()) {
      if (index > 0) this.#line(indent);
      this.#put("-");
      const nested = Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
      if (nested) this.#put(" ");
      this.node(value, indent + INDENT, !nested);
    }
  }

  #scalar(value: Json, indent: number): void {
    if (typeof value === "string") this.#string(value, indent, false);
    else if (Array.isArray(value)) this.#put("[]");
    else if (isObject(value)) this.#put("{}");
    else this.#put(value === null ? "null" : typeof value === "number" ? numberText(value) : String(value));
  }

  #string(text: string, indent: number, isKey: boolean): void {
    const shape = analyze(text);
    const style = styleOf(text, shape, isKey);
    switch (style) {
      case "plain":
        return this.#folded(text, indent, isKey, (c) => c);
      case "single":
        this.#put("'");
        this.#folded(text, indent, isKey, (c) => c === "'" ? "''" : c);
        return this.#put("'");
      case "double":
        return this.#double(text, indent, isKey);
      case "literal":
        return this.#literal(text, indent);
    }
  }

  /** Plain and single-quoted text: a space behind the width becomes a line break when it stands alone. */
  #folded(text: string, indent: number, isKey: boolean, escape: (character: string) => string): void {
    const characters = [...text];
    for (const [i, character] of characters.entries()) {
      const alone = character === " " && characters[i - 1] !== " " && characters[i + 1] !== " ";
      if (alone && !isKey && this.#column > WIDTH && i > 0 && i < characters.length - 1) this.#line(indent);
      else this.#put(escape(character));
    }
  }

  #double(text: string, indent: number, isKey: boolean): void {
    this.#put('"');
    const characters = [...text];
    let spaces = false;
    for (const [i, character] of characters.entries()) {
      if (character === " " && !isKey && !spaces && this.#column > WIDTH && i > 0 && i < characters.length - 1) {
        this.#line(indent);
        if (characters[i + 1] === " ") this.#put("\\");
      } else this.#put(escapeDouble(character));
      spaces = character === " ";
    }
    this.#put('"');
  }

  #literal(text: string, indent: number): void {
    this.#put("|");
    if (/^[ \n]/.test(text)) this.#put(String(INDENT));
    if (!text.endsWith("\n")) this.#put("-");
    else if (/^\n$|\n\n$/.test(text)) this.#put("+");
    for (const line of text.replace(/\n$/, "").split("\n")) {
      if (line === "") this.#break();
      else {
        this.#line(indent);
        this.#put(line);
      }
    }
    // Trailing empty lines are part of the text; the one that ends the document or the member is not.
    if (text.endsWith("\n\n")) this.text = this.text.replace(/\n*$/, "\n".repeat(/\n*$/.exec(text)![0].length - 1));
  }

  #put(text: string): void {
    this.text += text;
    this.#column += text.length;
  }

  #break(): void {
    this.text += "\n";
    this.#column = 0;
  }

  #line(indent: number): void {
    this.#break();
    this.#put(" ".repeat(indent));
  }
}

/** Go writes large and small numbers with an exponent of two digits at least. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  return String(value).replace(/e([+-])(\d)$/, "e$10$2");
}

type Style = "plain" | "single" | "double" | "literal";

/** What forms a text can have. */
interface Shape {
  plain: boolean;
  single: boolean;
  literal: boolean;
}

function styleOf(text: string, shape: Shape, isKey: boolean): Style {
  if (text.includes("\n") && !isKey && shape.literal) return "literal";
  if (text.includes("\n") || !readsAsText(text)) return "double";
  if (shape.plain) return "plain";
  return shape.single ? "single" : "double";
}

const SEXAGESIMAL = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:[Zz]|[-+]\d{2}:\d{2})?)?$/;

/** Whether it is still text when it is read without quotes. */
function readsAsText(text: string): boolean {
  if (SEXAGESIMAL.test(text) || TIMESTAMP.test(text)) return false;
  return typeof scalarOf(text, { plain: true }) === "string";
}

/** Characters that mean something at the start of a plain scalar. */
const INDICATORS = /^[#,[\]{}&*!|>'"%@`]/;
/** Anything that cannot be shown as it is. */
const SPECIAL = /[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

function analyze(text: string): Shape {
  const special = SPECIAL.test(text) || / \n/.test(text) || text.includes("\t");
  const starts = INDICATORS.test(text) || /^(?:---|\.\.\.)/.test(text) || /^[-?:](?:\s|$)/.test(text);
  const inside = /:(?:\s|$)|\s#/.test(text);
  const edges = /^[ \n\u2028\u2029]|[ \n\u2028\u2029]$/.test(text);
  return {
    plain: text !== "" && !starts && !inside && !edges && !special && !text.includes("\n"),
    single: !special && !/\n /.test(text),
    literal: !special && !text.endsWith(" "),
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\x1b": "\\e",
  '"': '\\"',
  "\\": "\\\\",
  "\x85": "\\N",
  "\xa0": "\\_",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

function escapeDouble(character: string): string {
  const known = ESCAPES[character];
  if (known !== undefined) return known;
  if (!SPECIAL.test(character) && character !== "\ufeff") return character;
  const point = character.codePointAt(0)!;
  const [letter, digits] = point <= 0xff ? ["x", 2] : point <= 0xffff ? ["u", 4] : ["U", 8] as const;
  return `\\${letter}${point.toString(16).toUpperCase().padStart(digits as number, "0")}`;
}

const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;

/** Letters behind other characters, runs of digits by their value. */
function compareKeys(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, i) => character !== right[i]);
  if (at < 0 || at >= right.length) return left.length - right.length;
  const letters = [LETTER.test(left[at]), LETTER.test(right[at])];
  if (letters[0] && letters[1]) return left[at] < right[at] ? -1 : 1;
  if (letters[0] || letters[1]) return letters[1] ? -1 : 1;
  return compareDigits(left, right, at);
}

function compareDigits(left: readonly string[], right: readonly string[], at: number): number {
  // A zero behind other digits counts as part of the same number.
  const lead = (left[at] === "0" || right[at] === "0") && hasNonZeroBefore(left, at) ? "1" : "";
  const digits = (list: readonly string[]) => {
    let end = at;
    while (end < list.length && DIGIT.test(list[end])) end++;
    return list.slice(at, end).join("");
  };
  const [x, y] = [digits(left), digits(right)];
  const [m, n] = [Number(lead + x || "0"), Number(lead + y || "0")];
  return m - n || x.length - y.length || (left[at] < right[at] ? -1 : 1);
}

function hasNonZeroBefore(list: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && DIGIT.test(list[i]); i--) if (list[i] !== "0") return true;
  return false;
}
