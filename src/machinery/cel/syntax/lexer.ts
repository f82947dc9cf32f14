// Splits an expression into tokens.

export type TokenKind =
  | "end"
  | "punctuation"
  | "ident"
  | "escapedIdent"
  | "int"
  | "uint"
  | "float"
  | "string"
  | "bytes";

export interface Token {
  kind: TokenKind;
  text: string;
  /** An index of UTF-16 units. */
  at: number;
}

/** The text is not of the language's grammar; what is wrong with it is worked out elsewhere. */
export class NotGrammatical extends Error {}

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?\x60]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`;
const QUOTED = [
  String.raw`"""(?:${ESCAPE}|[^\\])*?"""`,
  String.raw`'''(?:${ESCAPE}|[^\\])*?'''`,
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*"`,
  String.raw`'(?:${ESCAPE}|[^\\'\n\r])*'`,
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
].join("|");

/** Alternatives in an order in which the first that matches is also the longest. */
const TOKENS: readonly (readonly [TokenKind | "space", string])[] = [
  ["space", String.raw`[\t \r\n\f]+|//[^\n]*`],
  ["bytes", `[bB](?:${QUOTED})`],
  ["string", QUOTED],
  ["float", String.raw`(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)`],
  ["uint", "(?:0x[0-9a-fA-F]+|[0-9]+)[uU]"],
  ["int", "0x[0-9a-fA-F]+|[0-9]+"],
  ["ident", "[A-Za-z_][A-Za-z0-9_]*"],
  ["escapedIdent", "`[A-Za-z0-9_.\\-/ ]+`"],
  ["punctuation", String.raw`==|!=|<=|>=|&&|\|\||[<>\[\]{}().,\-!?:+*/%]`],
];

const PATTERN = new RegExp(TOKENS.map(([, pattern]) => `(${pattern})`).join("|"), "yu");

/** The tokens of a text, the last one of kind `end`. Throws NotGrammatical. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    PATTERN.lastIndex = at;
    const match = PATTERN.exec(source);
    if (match === null) throw new NotGrammatical();
    const kind = TOKENS[match.findIndex((group, i) => i > 0 && group !== undefined) - 1][0];
    if (kind !== "space") tokens.push({ kind, text: match[0], at });
    at = PATTERN.lastIndex;
  }
  tokens.push({ kind: "end", text: "<EOF>", at });
  return tokens;
}
