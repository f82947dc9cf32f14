// The kinds of values that flags take: how each is read off the command line (in pflag's words when it is wrong) and
// shown in the help.
import { isIP } from "node:net";
import { parseGoBool, parseGoDuration, parseGoFloat, parseGoInt } from "./go_values.ts";

/** A kind of value. `parse` throws an Error with what is wrong. */
export interface FlagKind<T> {
  /** As the help names it, and facts/flags.json. */
  readonly type: string;
  /** The value of a flag that was not given. */
  readonly zero: T;
  /** What the flag means when it stands without a value; undefined: it needs one. */
  readonly bare?: string;
  /** Reads a text; `before` is what earlier uses of the same flag amounted to. */
  parse(text: string, before: T | undefined): T;
}

/** One flag of a group: its kind, what it is for, and its default where it is not in facts/flags.json. */
export interface Flag<T = unknown> {
  readonly kind: FlagKind<T>;
  readonly help: string;
  readonly default?: string;
  readonly shorthand?: string;
  readonly deprecated?: string;
  /** The only values that are supported so far, as text. */
  readonly only?: readonly string[];
}

type Extras = Omit<Flag, "kind" | "help">;

function maker<T>(kind: FlagKind<T>): (help: string, extras?: Extras) => Flag<T> {
  return (help, extras = {}) => ({ kind, help, ...extras });
}

const string = maker<string>({ type: "string", zero: "", parse: (text) => text });

const bool = maker<boolean>({ type: "bool", zero: false, bare: "true", parse: parseGoBool });

const int = maker<number>({ type: "int", zero: 0, parse: (text) => parseGoInt(text) });

const float = maker<number>({ type: "float", zero: 0, parse: parseGoFloat });

/** Milliseconds. */
const duration = maker<number>({ type: "duration", zero: 0, parse: parseGoDuration });

const ip = maker<string>({
  type: "ip",
  zero: "",
  parse(text) {
    const trimmed = text.trim();
    if (trimmed !== "" && isIP(trimmed) === 0) throw new Error(`failed to parse IP: ${JSON.stringify(trimmed)}`);
    return trimmed;
  },
});

/** A list with commas; a value with a comma stands in double quotes, as in a line of CSV. */
const strings = maker<readonly string[]>({
  type: "strings",
  zero: [],
  parse: (text, before = []) => [...before, ...text === "" ? [] : splitCsv(text)],
});

/** One value each time the flag is given. */
const stringArray = maker<readonly string[]>({
  type: "stringArray",
  zero: [],
  parse: (text, before = []) => [...before, text],
});

const mapStringString = maker<Readonly<Record<string, string>>>({
  type: "mapStringString",
  zero: {},
  parse(text, before = {}) {
    const map = { ...before };
    for (const pair of text.split(",")) {
      if (pair === "") continue;
      const equals = pair.indexOf("=");
      if (equals < 0) throw new Error("malformed pair, expect string=string");
      map[pair.slice(0, equals).trim()] = pair.slice(equals + 1).trim();
    }
    return map;
  },
});

/** One `key=value` each time the flag is given; a comma is part of the value. */
const pairs = maker<Readonly<Record<string, string>>>({
  ...mapStringString("").kind,
  parse(text, before = {}) {
    const equals = text.indexOf("=");
    if (equals < 0) throw new Error("malformed pair, expect string=string");
    return { ...before, [text.slice(0, equals).trim()]: text.slice(equals + 1).trim() };
  },
});

/** `component:key=value`, comma separated; the component is `kube` when there is none. The values are key=value texts. */
const multimap = maker<Readonly<Record<string, readonly string[]>>>({
  type: "colonSeparatedMultimapStringString",
  zero: {},
  parse(text, before = {}) {
    const map: Record<string, readonly string[]> = { ...before };
    for (const pair of text.split(",")) {
      if (pair === "") continue;
      const colon = pair.indexOf(":");
      const [component, value] = colon < 0 ? ["kube", pair] : [pair.slice(0, colon), pair.slice(colon + 1)];
      map[component.trim()] = [...map[component.trim()] ?? [], value.trim()];
    }
    return map;
  },
});

export interface PortRange {
  first: number;
  last: number;
}

const portRange = maker<PortRange>({
  type: "portRange",
  zero: { first: 0, last: -1 },
  parse(text) {
    const value = text.trim();
    if (value === "") return { first: 0, last: -1 };
    if (value.includes("-") && value.includes("+")) throw new Error(`unable to parse port range: ${value}`);
    const sign = value.search(/[-+]/);
    const first = parseGoInt(sign < 0 ? value : value.slice(0, sign), "Atoi");
    const second = sign < 0 ? first : parseGoInt(value.slice(sign + 1), "Atoi");
    const last = value.includes("+") ? first + second : second;
    if (first > 65535 || last > 65535) throw new Error(`the port range cannot be greater than 65535: ${value}`);
    if (last < first) throw new Error(`end port cannot be less than start port: ${value}`);
    return { first, last };
  },
});

export interface NamedCertKey {
  certFile: string;
  keyFile: string;
  names: readonly string[];
}

/** `cert,key` or `cert,key:name,*.name`. */
const namedCertKey = maker<readonly NamedCertKey[]>({
  type: "namedCertKey",
  zero: [],
  parse(text, before = []) {
    const colon = text.indexOf(":");
    const files = (colon < 0 ? text : text.slice(0, colon)).split(",").map((file) => file.trim());
    if (files.length !== 2) throw new Error("expected comma separated certificate and key file paths");
    const names = colon < 0 ? [] : text.slice(colon + 1).split(",").map((name) => name.trim());
    return [...before, { certFile: files[0], keyFile: files[1], names }];
  },
});

const level = maker<number>({
  type: "Level",
  zero: 0,
  parse(text) {
    const value = parseGoInt(text, "ParseUint");
    if (value > 0x7fffffff) throw new Error(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`);
    return value;
  },
});

/** `--version`, `--version=raw`. */
const version = maker<string>({
  type: "version[=true]",
  zero: "false",
  bare: "true",
  parse: (text) => text === "raw" ? text : String(parseGoBool(text)),
});

/** Makers of flags, by kind. */
export const flag = {
  string,
  bool,
  int,
  float,
  duration,
  ip,
  strings,
  stringArray,
  mapStringString,
  pairs,
  multimap,
  portRange,
  namedCertKey,
  level,
  version,
} as const;

/** One line of CSV (RFC 4180), with encoding/csv's words for a wrong one. */
export function splitCsv(line: string): string[] {
  const fail = (column: number, why: string) => new Error(`parse error on line 1, column ${column}: ${why}`);
  const values: string[] = [];
  const field = /"((?:[^"]|"")*)"(?=,|$)|([^,]*)/y;
  while (field.lastIndex <= line.length) {
    const start = field.lastIndex;
    const [, quoted, plain] = field.exec(line)!;
    if (quoted === undefined && plain.startsWith('"')) {
      const closing = /"(?:[^"]|"")*"/y;
      closing.lastIndex = start;
      const column = closing.test(line) ? closing.lastIndex : line.length + 1;
      throw fail(column, 'extraneous or missing " in quoted-field');
    }
    if (plain?.includes('"')) throw fail(start + plain.indexOf('"') + 1, 'bare " in non-quoted-field');
    values.push(quoted?.replaceAll('""', '"') ?? plain);
    field.lastIndex++; // Over the comma.
  }
  return values;
}
