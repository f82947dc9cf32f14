// Parses expressions (CEL specification, "Syntax") by recursive descent.
//
// The npm packages that know the language were weighed first: @marcbachmann/cel-js checks types but has neither positions
// of all nodes nor optionals in its tree, @bufbuild/cel has no type checker; neither knows costs. So the parser, checker
// and evaluator are the project's own; what the real server says about bad syntax comes from its grammar (grammar.ts).
import { Uint } from "../values/value.ts";
import { normalizeInt, type Value } from "../values/value.ts";
import { Double } from "../values/value.ts";
import type { Expr, FieldInit, Issue, MapEntry } from "./ast.ts";
import { Builder } from "./builder.ts";
import { explainSyntax } from "./grammar.ts";
import { NotGrammatical, type Token, tokenize } from "./lexer.ts";
import { bytesValue, LiteralError, stringValue } from "./literals.ts";
import { expandBind, expandGlobal, expandReceiver } from "./macros.ts";
import { lookUp } from "../../look_up.ts";

/** A parsed expression. `expr` is to be used only when there are no issues. */
export interface Parsed {
  readonly source: string;
  readonly expr: Expr;
  readonly issues: readonly Issue[];
  /** Node ids are below this. */
  readonly idLimit: number;
}

const MAX_DEPTH = 250;
const MAX_CODE_POINTS = 100_000;

const RESERVED = new Set(
  ("as break const continue else false for function if import in let loop package namespace null return true var " +
    "void while").split(" "),
);

/**
 * Parses an expression; what is wrong is in the result.
 * @param options.binds whether there is `cel.bind`
 */
export function parse(source: string, { binds = false }: { binds?: boolean } = {}): Parsed {
  const builder = new Builder();
  const size = source.length > MAX_CODE_POINTS ? Array.from(source).length : 0;
  if (size > MAX_CODE_POINTS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`;
    return { source, expr: builder.error(-1, message), issues: builder.issues, idLimit: 2 };
  }
  try {
    const expr = new Parser(tokenize(source), builder, binds).parse();
    return { source, expr, issues: builder.issues, idLimit: builder.count + 1 };
  } catch (e) {
    if (!(e instanceof NotGrammatical)) throw e;
    return { source, expr: builder.literal(0, null), issues: explainSyntax(source), idLimit: 2 };
  }
}

/** Operators by how tightly they bind, loosest first, and the calls that they are. */
const RELATIONS: Record<string, string> = {
  "<": "_<_",
  "<=": "_<=_",
  ">": "_>_",
  ">=": "_>=_",
  "==": "_==_",
  "!=": "_!=_",
  in: "@in",
};
const ADDITIVE: Record<string, string> = { "+": "_+_", "-": "_-_" };
const MULTIPLICATIVE: Record<string, string> = { "*": "_*_", "/": "_/_", "%": "_%_" };

class Parser {
  #position = 0;
  #depth = 0;

  constructor(readonly tokens: readonly Token[], readonly builder: Builder, readonly binds: boolean) {}

  parse(): Expr {
    const expr = this.#expr();
    if (this.#token.kind !== "end") throw new NotGrammatical();
    return expr;
  }

  get #token(): Token {
    return this.tokens[this.#position];
  }

  #is(text: string): boolean {
    const token = this.#token;
    return token.text === text && (token.kind === "punctuation" || token.kind === "ident");
  }

  #take(text: string): Token | undefined {
    return this.#is(text) ? this.tokens[this.#position++] : undefined;
  }

  #expect(text: string): Token {
    const token = this.#take(text);
    if (token === undefined) throw new NotGrammatical();
    return token;
  }

  /** Goes one level down; expressions that are nested too deep are refused, as they would be by the real server. */
  #nest<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw new NotGrammatical();
    const result = parse();
    this.#depth--;
    return result;
  }

  #expr(): Expr {
    return this.#nest(() => {
      const condition = this.#logical("||", "_||_", () => this.#logical("&&", "_&&_", () => this.#relation()));
      const op = this.#take("?");
      if (op === undefined) return condition;
      const whenTrue = this.#logical("||", "_||_", () => this.#logical("&&", "_&&_", () => this.#relation()));
      this.#expect(":");
      const whenFalse = this.#expr();
      return this.builder.call(op.at, "_?_:_", [condition, whenTrue, whenFalse]);
    });
  }

  /** A chain of `&&` or `||` becomes a balanced tree. */
  #logical(operator: string, name: string, operand: () => Expr): Expr {
    const terms = [operand()];
    const places: number[] = [];
    for (let op = this.#take(operator); op !== undefined; op = this.#take(operator)) {
      places.push(op.at);
      terms.push(operand());
    }
    return places.length === 0 ? terms[0] : this.#balance(name, terms, places, 0, places.length - 1);
  }

  #balance(name: string, terms: Expr[], places: number[], low: number, high: number): Expr {
    const middle = (low + high + 1) >> 1;
    const left = middle === low ? terms[middle] : this.#balance(name, terms, places, low, middle - 1);
    const right = middle === high ? terms[middle + 1] : this.#balance(name, terms, places, middle + 1, high);
    return this.builder.call(places[middle], name, [left, right]);
  }

  #relation(): Expr {
    return this.#binary(
      RELATIONS,
      () => this.#binary(ADDITIVE, () => this.#binary(MULTIPLICATIVE, () => this.#unary())),
    );
  }

  #binary(operators: Record<string, string>, operand: () => Expr): Expr {
    let left = operand();
    for (let links = 1;; links++) {
      const token = this.#token;
      const isOperator = token.kind === "punctuation" || token.text === "in";
      const name = isOperator ? lookUp(operators, token.text) : undefined;
      if (name === undefined) return left;
      if (links >= MAX_DEPTH) throw new NotGrammatical();
      this.#position++;
      left = this.builder.call(token.at, name, [left, operand()]);
    }
  }

  #unary(): Expr {
    const first = this.#token;
    if (first.kind !== "punctuation" || first.text !== "!" && first.text !== "-") return this.#member();
    let count = 0;
    // A minus right before a number is the number's sign.
    while (this.#is(first.text) && !(first.text === "-" && this.#isNumber(1))) {
      this.#position++;
      count++;
    }
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return this.builder.call(first.at, first.text === "!" ? "!_" : "-_", [operand]);
  }

  #isNumber(ahead: number): boolean {
    const kind = this.tokens[this.#position + ahead]?.kind;
    return kind === "int" || kind === "float";
  }

  #member(): Expr {
    let expr = this.#primary();
    for (let links = 1;; links++) {
      if (links >= MAX_DEPTH) throw new NotGrammatical();
      const token = this.#token;
      if (this.#take(".") !== undefined) expr = this.#selection(expr, token);
      else if (this.#take("[") !== undefined) expr = this.#index(expr, token);
      else return expr;
    }
  }

  #selection(operand: Expr, dot: Token): Expr {
    const optional = this.#take("?") !== undefined;
    const token = this.tokens[this.#position++];
    if (token.kind === "escapedIdent") return this.builder.error(token.at, "unsupported syntax: '`'");
    if (token.kind !== "ident" || isKeyword(token.text)) throw new NotGrammatical();
    if (optional) {
      return this.builder.call(dot.at, "_?._", [operand, this.builder.literal(token.at, token.text)]);
    }
    const open = this.#take("(");
    if (open === undefined) return this.builder.select(dot.at, operand, token.text);
    const args = this.#list(")", () => this.#expr());
    return (this.binds ? expandBind(this.builder, open.at, token.text, operand, args) : undefined) ??
      expandReceiver(this.builder, open.at, token.text, operand, args) ??
      this.builder.call(open.at, token.text, args, operand);
  }

  #index(operand: Expr, bracket: Token): Expr {
    const optional = this.#take("?") !== undefined;
    const index = this.#expr();
    this.#expect("]");
    return this.builder.call(bracket.at, optional ? "_[?_]" : "_[_]", [operand, index]);
  }

  /** Elements between commas up to a closing token. */
  #list<T>(close: string, element: () => T, trailingComma = false): T[] {
    const elements: T[] = [];
    while (this.#take(close) === undefined) {
      if (elements.length > 0) {
        this.#expect(",");
        if (trailingComma && this.#take(close) !== undefined) break;
      } else if (trailingComma && this.#take(",") !== undefined) {
        this.#expect(close);
        break;
      }
      elements.push(element());
    }
    return elements;
  }

  #primary(): Expr {
    const token = this.tokens[this.#position];
    if (token.kind === "punctuation") return this.#bracketed(token);
    if (token.kind === "ident") return this.#name(token);
    this.#position++;
    return this.#literal(token, "");
  }

  #bracketed(token: Token): Expr {
    if (token.text === "-" && this.#isNumber(1)) {
      this.#position += 2;
      return this.#literal(this.tokens[this.#position - 1], "-", token.at);
    }
    if (token.text === ".") return this.#name(token);
    this.#position++;
    switch (token.text) {
      case "(": {
        const expr = this.#expr();
        this.#expect(")");
        return expr;
      }
      case "[":
        return this.#listLiteral(token);
      case "{":
        return this.builder.map(token.at, this.#list("}", () => this.#mapEntry(), true));
      default:
        throw new NotGrammatical();
    }
  }

  #listLiteral(token: Token): Expr {
    const optional: number[] = [];
    let count = 0;
    const elements = this.#list("]", () => {
      if (this.#take("?") !== undefined) optional.push(count);
      count++;
      return this.#expr();
    }, true);
    return this.builder.list(token.at, elements, optional);
  }

  #mapEntry(): MapEntry {
    const optional = this.#take("?") !== undefined;
    const key = this.#expr();
    const colon = this.#expect(":");
    return this.builder.entry(colon.at, key, this.#expr(), optional);
  }

  /** A name, a call of a function or an object of a named type. */
  #name(first: Token): Expr {
    const dot = this.#take(".") === undefined ? "" : ".";
    const token = this.tokens[this.#position++];
    if (token.kind !== "ident") throw new NotGrammatical();
    if (dot === "" && isLiteralWord(token.text)) return this.#literal(token, "");
    if (isKeyword(token.text)) throw new NotGrammatical();
    const type = this.#typeName(dot + token.text);
    if (type !== undefined) return type;
    const open = this.#take("(");
    const args = open === undefined ? [] : this.#list(")", () => this.#expr());
    if (RESERVED.has(token.text)) return this.builder.error(first.at, `reserved identifier: ${token.text}`);
    if (open === undefined) return this.builder.ident(token.at, dot + token.text);
    return expandGlobal(this.builder, open.at, dot + token.text, args) ??
      this.builder.call(open.at, dot + token.text, args);
  }

  /** `Name.name{…}`, when names and dots are followed by a brace. */
  #typeName(first: string): Expr | undefined {
    let name = first, ahead = this.#position;
    while (this.tokens[ahead].text === "." && this.tokens[ahead + 1].kind === "ident") {
      name += `.${this.tokens[ahead + 1].text}`;
      ahead += 2;
    }
    const brace = this.tokens[ahead];
    if (brace.kind !== "punctuation" || brace.text !== "{") return undefined;
    this.#position = ahead + 1;
    return this.builder.struct(brace.at, name, this.#list("}", () => this.#field(), true));
  }

  #field(): FieldInit {
    const optional = this.#take("?") !== undefined;
    const token = this.tokens[this.#position++];
    if (token.kind === "escapedIdent") this.builder.error(token.at, "unsupported syntax: '`'");
    else if (token.kind !== "ident" || isKeyword(token.text)) throw new NotGrammatical();
    const colon = this.#expect(":");
    return this.builder.field(colon.at, token.text, this.#expr(), optional);
  }

  #literal(token: Token, sign: string, at = token.at): Expr {
    const value = this.#literalValue(token, sign, at);
    return this.builder.literal(at, value);
  }

  #literalValue(token: Token, sign: string, at: number): Value {
    switch (token.kind) {
      case "int": {
        const size = BigInt(token.text), value = sign === "-" ? -size : size;
        if (BigInt.asIntN(64, value) !== value) this.builder.error(at, "invalid int literal");
        return normalizeInt(value);
      }
      case "uint": {
        const value = BigInt(token.text.slice(0, -1));
        if (BigInt.asUintN(64, value) !== value) this.builder.error(at, "invalid uint literal");
        return new Uint(value);
      }
      case "float": {
        const value = Number(sign + token.text);
        if (!Number.isFinite(value)) this.builder.error(at, "invalid double literal");
        return new Double(value);
      }
      case "ident":
        return token.text === "null" ? null : token.text === "true";
      case "string":
      case "bytes":
        return this.#quoted(token);
      default:
        throw new NotGrammatical();
    }
  }

  #quoted(token: Token): Value {
    try {
      return token.kind === "string" ? stringValue(token.text) : bytesValue(token.text);
    } catch (e) {
      if (!(e instanceof LiteralError)) throw e;
      this.builder.error(token.at, e.message);
      return "";
    }
  }
}

function isLiteralWord(text: string): boolean {
  return text === "true" || text === "false" || text === "null";
}

/** Words that the grammar never takes for a name. */
function isKeyword(text: string): boolean {
  return text === "in" || isLiteralWord(text);
}
