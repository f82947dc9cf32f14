// Why a text is no JSON, in the words of Go's decoder. Slow: for texts that JSON.parse has refused.

/** Deeper nesting is refused (by Go from 10,000 on), so that whoever walks a value may do so by recursion. */
export const MAX_DEPTH = 1000;

/** The message for the first character that does not fit; undefined when the text is JSON after all. */
export function syntaxError(text: string): string | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.value();
    scanner.space();
    if (scanner.at < text.length) scanner.fail("after top-level value");
  } catch (e) {
    if (e instanceof Refusal) return e.message;
    throw e;
  }
}

class Refusal extends Error {}

const SPACE = /[ \t\r\n]*/y;
const PLAIN = /[ !#-[\]-\uffff]*/y;
const DIGITS = /[0-9]*/y;

class Scanner {
  at = 0;
  #depth = 0;

  constructor(readonly text: string) {}

  fail(where: string): never {
    if (this.at >= this.text.length) throw new Refusal("unexpected end of JSON input");
    throw new Refusal(`invalid character ${quoteFirstByte(this.text, this.at)} ${where}`);
  }

  /** Within a token: there, the end of the text counts as a space. */
  #failInside(where: string): never {
    if (this.at >= this.text.length) throw new Refusal(`invalid character ' ' ${where}`);
    this.fail(where);
  }

  space(): void {
    this.#skip(SPACE);
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.text)![0].length;
    this.at += length;
    return length > 0;
  }

  #is(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  value(): void {
    this.space();
    const c = this.text[this.at];
    if (c === "{") this.#nested(() => this.#object());
    else if (c === "[") this.#nested(() => this.#array());
    else if (c === '"') this.#string();
    else if (c === "-" || (c >= "0" && c <= "9")) this.#number();
    else if (c === "t" || c === "f" || c === "n") this.#literal({ t: "true", f: "false", n: "null" }[c]);
    else this.fail("looking for beginning of value");
  }

  #nested(read: () => void): void {
    if (++this.#depth > MAX_DEPTH) throw new Refusal("exceeded max depth");
    this.at++;
    read();
    this.#depth--;
  }

  #object(): void {
    this.space();
    if (this.#is("}")) return;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail("looking for beginning of object key string");
      this.#string();
      this.space();
      if (!this.#is(":")) this.fail("after object key");
      this.value();
      this.space();
      if (this.#is("}")) return;
      if (!this.#is(",")) this.fail("after object key:value pair");
    }
  }

  #array(): void {
    this.space();
    if (this.#is("]")) return;
    for (;;) {
      this.value();
      this.space();
      if (this.#is("]")) return;
      if (!this.#is(",")) this.fail("after array element");
    }
  }

  #string(): void {
    this.at++;
    for (;;) {
      this.#skip(PLAIN);
      if (this.#is('"')) return;
      if (!this.#is("\\")) this.fail("in string literal");
      if (this.#is("u")) {
        for (let i = 0; i < 4; i++, this.at++) {
          if (!/[0-9a-fA-F]/.test(this.text[this.at] ?? "")) this.#failInside("in \\u hexadecimal character escape");
        }
      } else if (this.at < this.text.length && '"\\/bfnrt'.includes(this.text[this.at])) this.at++;
      else this.#failInside("in string escape code");
    }
  }

  #number(): void {
    if (this.#is("-") && !/[0-9]/.test(this.text[this.at] ?? "")) this.#failInside("in numeric literal");
    if (!this.#is("0")) this.#skip(DIGITS);
    if (this.#is(".") && !this.#skip(DIGITS)) this.#failInside("after decimal point in numeric literal");
    if (this.#is("e") || this.#is("E")) {
      if (!this.#is("+")) this.#is("-");
      if (!this.#skip(DIGITS)) this.#failInside("in exponent of numeric literal");
    }
  }

  #literal(word: string): void {
    for (const expected of word) {
      if (!this.#is(expected)) this.#failInside(`in literal ${word} (expecting '${expected}')`);
    }
  }
}

const ESCAPED: Record<number, string> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  39: "\\'",
  92: "\\\\",
};

/** Go looks at single bytes of UTF-8 and shows them as characters of Latin-1. */
function quoteFirstByte(text: string, at: number): string {
  const byte = new TextEncoder().encode(String.fromCodePoint(text.codePointAt(at)!))[0];
  const hex = byte.toString(16).padStart(2, "0");
  const shown = ESCAPED[byte] ??
    (byte < 0x20 || byte === 0x7f
      ? `\\x${hex}`
      : byte >= 0x80 && byte <= 0xa0 || byte === 0xad
      ? `\\u00${hex}`
      : String.fromCharCode(byte));
  return `'${shown}'`;
}
