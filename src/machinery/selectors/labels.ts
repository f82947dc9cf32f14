// Label selectors: `tier in (a,b),!canary,size>3`, parsed as the API parses them.
import { aggregate, invalid, Path } from "../field_error.ts";
import { isLabelValue, isQualifiedName } from "../validation/names.ts";

/** A selector that cannot be understood; the message is the one of the API. */
export class SelectorError extends Error {}

/** `exists` and `!` have no values, `>` and `<` one. */
export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | ">" | "<";

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** What labels must be like; no requirements let everything through. */
export class LabelSelector {
  /** @param requirements in the order of their keys */
  constructor(readonly requirements: readonly LabelRequirement[]) {}

  get everything(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Labels | undefined): boolean {
    for (const requirement of this.requirements) if (!meets(requirement, labels ?? {})) return false;
    return true;
  }

  /** The canonical text: requirements by key, values sorted. */
  toString(): string {
    return this.requirements.map(formatRequirement).join(",");
  }
}

/** Throws SelectorError. */
export function parseLabelSelector(text: string): LabelSelector {
  return text === "" ? EVERYTHING : new LabelSelector(new Parser(scan(text)).parse());
}

/** A selector as objects carry it (meta.v1 LabelSelector). */
export interface LabelSelectorObject {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key?: string; operator?: string; values?: string[] | null }[];
}

const OPERATORS: Record<string, LabelOperator> = { In: "in", NotIn: "notin", Exists: "exists", DoesNotExist: "!" };

/** A missing selector matches nothing (undefined), an empty one everything. Throws SelectorError. */
export function labelSelectorOf(object: LabelSelectorObject | null | undefined): LabelSelector | undefined {
  if (object === null || object === undefined) return undefined;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(object.matchLabels ?? {})) {
    requirements.push(checked({ key, operator: "=", values: [value] }));
  }
  for (const { key = "", operator = "", values } of object.matchExpressions ?? []) {
    const known = OPERATORS[operator];
    if (known === undefined) throw new SelectorError(`"${operator}" is not a valid label selector operator`);
    requirements.push(checked({ key, operator: known, values: values ?? [] }));
  }
  return new LabelSelector(byKey(requirements));
}

const EVERYTHING = new LabelSelector([]);

function byKey(requirements: LabelRequirement[]): LabelRequirement[] {
  return requirements.sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

function meets({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value: unknown = labels[key];
  // Anything but text was inherited: there is no such label.
  if (typeof value !== "string") return operator === "!=" || operator === "notin" || operator === "!";
  switch (operator) {
    case "=":
    case "==":
      return value === values[0];
    case "!=":
      return value !== values[0];
    case "in":
      return values.includes(value);
    case "notin":
      return !values.includes(value);
    case "exists":
      return true;
    case "!":
      return false;
    default: {
      const number = parseInt64(value), bound = parseInt64(values[0]);
      if (number === undefined || bound === undefined) return false;
      return operator === ">" ? number > bound : number < bound;
    }
  }
}

function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text[0] === "+" ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${[...values].sort().join(",")})`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}

const KEY = new Path("key"), VALUES = new Path("values"), NO_PATH = new Path("<nil>");

/** The requirement itself when its key, its values and their number are right; throws otherwise. */
function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const errors = [];
  const badKey = isQualifiedName(key);
  if (badKey.length > 0) errors.push(invalid(KEY, key, badKey.join("; ")));
  if ((operator === "in" || operator === "notin") && values.length === 0) {
    errors.push(invalid(VALUES, [], "for 'in', 'notin' operators, values set can't be empty"));
  }
  if ((operator === "exists" || operator === "!") && values.length > 0) {
    errors.push(invalid(VALUES, values, "values set must be empty for exists and does not exist"));
  }
  values.forEach((value, i) => {
    if ((operator === ">" || operator === "<") && parseInt64(value) === undefined) {
      errors.push(invalid(VALUES.index(i), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  });
  values.forEach((value, i) => {
    const bad = isLabelValue(value);
    if (bad.length > 0) errors.push(invalid(VALUES.index(i).key(key), value, bad.join("; ")));
  });
  if (errors.length > 0) throw new SelectorError(aggregate(errors));
  return requirement;
}

/** `word` is a key or a value; the other kinds are their own text; `end` closes the list. */
interface Token {
  kind: "word" | "end" | "(" | ")" | "," | "!" | "=" | "==" | "!=" | ">" | "<" | "in" | "notin";
  text: string;
}

const SYMBOLS = new Set(["(", ")", ",", "!", "=", "==", "!=", ">", "<"]);
const TOKEN = /[ \t\r\n]*([=!(),><]{1,2}|[^=!(),>< \t\r\n]+)?/y;

function scan(text: string): Token[] {
  // What stands behind a NUL is not read.
  const nul = text.indexOf("\0");
  const input = nul < 0 ? text : text.slice(0, nul);
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const found = TOKEN.exec(input)?.[1];
    if (found === undefined) break;
    if (!/^[=!(),><]/.test(found)) {
      tokens.push({ kind: found === "in" || found === "notin" ? found : "word", text: found });
      continue;
    }
    // The longest symbol first; what follows it is read again.
    const symbol = SYMBOLS.has(found.slice(0, 2)) ? found.slice(0, 2) : found[0];
    TOKEN.lastIndex -= found.length - symbol.length;
    tokens.push({ kind: symbol as Token["kind"], text: symbol });
  }
  tokens.push({ kind: "end", text: "" });
  return tokens;
}

const BINARY: readonly string[] = ["in", "notin", "=", "==", "!=", ">", "<"];

class Parser {
  #at = 0;

  constructor(readonly tokens: readonly Token[]) {}

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === "end") return byKey(requirements);
      if (token.kind !== "word" && token.kind !== "!") {
        throw new SelectorError(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const next = this.#take();
      if (next.kind === "end") return byKey(requirements);
      if (next.kind !== ",") throw new SelectorError(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.#peek();
      if (after.kind !== "word" && after.kind !== "!") {
        throw new SelectorError(`found '${after.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    try {
      return this.#readRequirement();
    } catch (e) {
      if (e instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${e.message}`);
      throw e;
    }
  }

  #readRequirement(): LabelRequirement {
    let token = this.#take();
    const negated = token.kind === "!";
    if (negated) token = this.#take();
    if (token.kind !== "word") throw new SelectorError(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const bad = isQualifiedName(key);
    if (bad.length > 0) throw new SelectorError(aggregate([invalid(NO_PATH, key, bad.join("; "))]));
    const next = this.#peek();
    if (negated) return checked({ key, operator: "!", values: [] });
    if (next.kind === "end" || next.kind === ",") return checked({ key, operator: "exists", values: [] });
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#valueSet() : [this.#exactValue()];
    return checked({ key, operator, values });
  }

  #operator(): LabelOperator {
    const { kind, text } = this.tokens[this.#at++];
    if (!BINARY.includes(kind)) {
      throw new SelectorError(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    return kind as LabelOperator;
  }

  #exactValue(): string {
    const next = this.#peek();
    if (next.kind === "end" || next.kind === ",") return "";
    this.#take();
    if (next.kind !== "word") throw new SelectorError(`found '${next.text}', expected: identifier`);
    return next.text;
  }

  #valueSet(): string[] {
    const open = this.#take();
    if (open.kind !== "(") throw new SelectorError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ")") {
      this.#take();
      return [""];
    }
    if (first.kind !== "word" && first.kind !== ",") {
      throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = this.#values();
    this.#take();
    return [...values].sort();
  }

  /** Up to the closing bracket, which is left. An empty place between commas is the empty value. */
  #values(): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const token = this.#take(), next = this.#peek();
      if (token.kind === "word") {
        values.add(token.text);
        if (next.kind === ")") return values;
        if (next.kind !== ",") throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.kind === ",") {
        if (values.size === 0 || next.kind === ")" || next.kind === ",") values.add("");
        if (next.kind === ")") return values;
      } else {
        throw new SelectorError(`found '${token.text}', expected: ',', or identifier`);
      }
    }
  }

  /** Outside the place of an operator, `in` and `notin` are words like others. */
  #peek(): Token {
    const token = this.tokens[Math.min(this.#at, this.tokens.length - 1)];
    return token.kind === "in" || token.kind === "notin" ? { kind: "word", text: token.text } : token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }
}
