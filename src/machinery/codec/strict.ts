// What the real server's decoder has to say about a text: unknown and repeated members with their paths, and the first
// value of the wrong type, all in the order of the text. Slow: for texts with which something is the matter.
import { parseDuration } from "../duration.ts";
import { goQuote } from "../go_text.ts";
import { canonicalQuantity, QuantityError } from "../quantity.ts";
import { goTypeBehind } from "../schema/builtin.ts";
import type { FieldModel, MapType, ScalarKind, StructType, TypeModel } from "../schema/model.ts";
import { canonicalMicroTime, canonicalTime, TimeError } from "../time.ts";
import { badBase64Byte, isByte } from "./scalars.ts";
import { jsonSchemaType, listTypeOf, type SchemaOr } from "./schema_or.ts";

/** A member that the type does not know, or one that is there twice. */
export interface StrictError {
  what: "unknown" | "duplicate";
  path: string;
}

export interface Findings {
  strictErrors: StrictError[];
  /** `json: cannot unmarshal …`: the text cannot be an object of the type. */
  error?: string;
}

/** @param text JSON; @param type undefined: anything goes, only repeated members are looked for */
export function examine(text: string, type: TypeModel | undefined): Findings {
  const examiner = new Examiner(text);
  try {
    examiner.value(type, type === undefined ? "" : goTypeOf(type));
  } catch (e) {
    if (!(e instanceof Fatal)) throw e;
    return { strictErrors: examiner.strictErrors, error: examiner.word(e.problem) };
  }
  return { strictErrors: examiner.strictErrors, error: examiner.firstError };
}

/** No more strict errors than this are gathered. */
const MAX_STRICT_ERRORS = 100;

/** Wrong for the type, or wrong in words of its own. */
type Problem = { value: string; type: string; fields?: readonly string[] } | string;

/** An error that ends the decoding at once: those of values that read themselves. */
class Fatal extends Error {
  constructor(readonly problem: Problem) {
    super();
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const WORD = /[^,\]} \t\r\n]*/y;

class Examiner {
  readonly strictErrors: StrictError[] = [];
  firstError: string | undefined;
  #at = 0;
  /** Names of the fields on the way, and the struct that the innermost is of. */
  #fields: string[] = [];
  #struct = "";
  /** The same with keys and indexes. */
  #path: string[] = [];
  #strict = true;
  #firstProblem: Problem | undefined;

  constructor(readonly text: string) {}

  word(problem: Problem): string {
    if (typeof problem === "string") return problem;
    const { value, type, fields = [] } = problem;
    const path = [...this.#fields, ...fields].join(".");
    if (path === "") return `json: cannot unmarshal ${value} into Go value of type ${type}`;
    return `json: cannot unmarshal ${value} into Go struct field ${this.#struct}.${path} of type ${type}`;
  }

  #save(problem: Problem): void {
    this.#firstProblem ??= typeof problem === "string" ? problem : { ...problem, fields: [...this.#fields] };
    this.firstError ??= this.word(problem);
  }

  #complain(what: StrictError["what"], name: string): void {
    if (!this.#strict || this.strictErrors.length >= MAX_STRICT_ERRORS) return;
    const path = this.#path.length === 0 ? name : `${this.#path.join("")}.${name}`;
    if (!this.strictErrors.some((known) => known.what === what && known.path === path)) {
      this.strictErrors.push({ what, path });
    }
  }

  /** `type` undefined: any value, its objects without repeated members. */
  value(type: TypeModel | undefined, goType: string): void {
    this.#space();
    if (type !== undefined && readsItself(type)) return this.#ownReader(type.kind as ScalarKind);
    const c = this.text[this.#at];
    if (c === "{") this.#objectOf(type, goType);
    else if (c === "[") this.#arrayOf(type, goType);
    else this.#literal(type, goType);
  }

  #objectOf(type: TypeModel | undefined, goType: string): void {
    if (type === undefined || type.kind === "map" || type.kind === "struct") return this.#object(type, goType);
    this.#save({ value: "object", type: goType });
    this.#skip();
  }

  #arrayOf(type: TypeModel | undefined, goType: string): void {
    if (type === undefined || type.kind === "list") return this.#array(type?.element, goType);
    if (type.kind === "bytes") return this.#array({ kind: "int32" }, goType);
    this.#save({ value: "array", type: goType });
    this.#skip();
  }

  #object(type: StructType | MapType | undefined, goType: string): void {
    const seen = new Set<string>(), outerStruct = this.#struct;
    this.#members((name) => {
      const field = type?.kind === "struct" ? type.fields.get(name) : undefined;
      if (type?.kind === "struct" && field === undefined) {
        this.#complain("unknown", name);
        return this.#skip();
      }
      if (seen.has(name)) this.#complain("duplicate", name);
      seen.add(name);
      this.#path.push(this.#path.length === 0 ? name : `.${name}`);
      if (field !== undefined) {
        const depth = this.#fields.length;
        for (const [struct] of field.within) this.#fields.push(struct);
        if (field.number === 0 && (name === "kind" || name === "apiVersion")) this.#fields.push("TypeMeta");
        this.#fields.push(name);
        this.#struct = (type as StructType).goName.split(".").at(-1)!;
        this.value(field.type, goTypeOfField(field));
        this.#fields.length = depth;
        this.#struct = outerStruct;
      } else if (type === undefined) this.value(undefined, "");
      else this.value((type as MapType).value, valueTypeOf(goType));
      this.#path.pop();
    });
  }

  /** Calls `each` with the name of every member, standing before its value. */
  #members(each: (name: string) => void): void {
    this.#at++;
    for (;;) {
      this.#space();
      if (this.#is("}")) return;
      if (this.#is(",")) this.#space();
      const name = JSON.parse(this.#match(STRING)) as string;
      this.#space();
      this.#is(":");
      this.#space();
      each(name);
    }
  }

  #array(element: TypeModel | undefined, goType: string): void {
    this.#at++;
    for (let i = 0;; i++) {
      this.#space();
      if (this.#is("]")) return;
      if (this.#is(",")) this.#space();
      this.#path.push(`[${i}]`);
      this.value(element, element === undefined ? "" : elementTypeOf(goType));
      this.#path.pop();
    }
  }

  #literal(type: TypeModel | undefined, goType: string): void {
    const raw = this.#skip();
    if (type === undefined || raw === "null") return;
    if (raw[0] === '"') {
      if (type.kind === "bytes") {
        const bad = badBase64Byte(JSON.parse(raw));
        if (bad !== undefined) this.#save(`illegal base64 data at input byte ${bad}`);
      } else if (type.kind !== "string") this.#save({ value: "string", type: goType });
    } else if (raw === "true" || raw === "false") {
      if (type.kind !== "boolean") this.#save({ value: "bool", type: goType });
    } else if (type.kind === "int32" || type.kind === "int64") {
      if (!isInteger(raw, type.kind) || goType === "uint8" && !isByte(Number(raw))) {
        this.#save({ value: `number ${raw}`, type: goType });
      }
    } else if (type.kind === "double") {
      if (!Number.isFinite(Number(raw))) this.#save({ value: `number ${raw}`, type: goType });
    } else this.#save({ value: "number", type: goType });
  }

  /** A value whose Go type decodes itself: whatever is wrong ends everything. */
  #ownReader(kind: ScalarKind): void {
    const start = this.#at, raw = this.#skip();
    const problem = isSchemaOr(kind) ? this.#schemaOr(kind, start) : OWN_READERS[kind]?.(raw);
    if (problem !== undefined) throw new Fatal(problem);
  }

  /** Read by a decoder of its own, which is not strict. */
  #schemaOr(kind: SchemaOr, start: number): Problem | undefined {
    const c = this.text[start];
    const type = c === "{" ? jsonSchemaType() : c === "[" ? listTypeOf(kind) : undefined;
    if (type === undefined) {
      if (kind !== "schemaOrBool" || c === "t" || c === "f" || c === "n") return undefined;
      return "boolean or JSON schema expected";
    }
    const inner = new Examiner(this.text.slice(start, this.#at));
    inner.#strict = false;
    inner.value(type, goTypeOf(type));
    // The message names the struct outside.
    return inner.#firstProblem;
  }

  #space(): void {
    this.#match(SPACE);
  }

  #is(character: string): boolean {
    if (this.text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  /** Passes over one value and gives back its text. */
  #skip(): string {
    const start = this.#at;
    let depth = 0;
    do {
      this.#space();
      const c = this.text[this.#at];
      if (c === "{" || c === "[") depth++;
      else if (c === "}" || c === "]") depth--;
      if (c === '"') this.#match(STRING);
      else if ("{}[],:".includes(c)) this.#at++;
      else this.#match(WORD);
    } while (depth > 0);
    return this.text.slice(start, this.#at);
  }
}

function isSchemaOr(kind: ScalarKind): kind is SchemaOr {
  return kind.startsWith("schemaOr");
}

function readsItself({ kind }: TypeModel): boolean {
  return kind in OWN_READERS || kind.startsWith("schemaOr");
}

/** What Go's own decoder of a scalar complains of, given the raw text of the value. */
const OWN_READERS: Partial<Record<TypeModel["kind"], (raw: string) => Problem | undefined>> = {
  quantity: (raw) =>
    raw === "null" ? undefined : caught(() => canonicalQuantity(raw.replace(/^"(.*)"$/s, "$1").trim())),
  time: (raw) => readText(raw, (text) => caught(() => canonicalTime(text))),
  microTime: (raw) => readText(raw, (text) => caught(() => canonicalMicroTime(text))),
  duration: (raw) =>
    readText(raw, (text) => parseDuration(text) === undefined ? `time: invalid duration ${goQuote(text)}` : undefined),
  intOrString: (raw) => {
    if (raw[0] === '"' || raw === "null" || isInteger(raw, "int32")) return undefined;
    return { value: /^[-0-9]/.test(raw) ? `number ${raw}` : nameOf(raw), type: "int32" };
  },
  fieldsV1: () => undefined,
  rawExtension: () => undefined,
  json: () => undefined,
};

function caught(run: () => unknown): string | undefined {
  try {
    run();
  } catch (e) {
    if (e instanceof QuantityError || e instanceof TimeError) return e.message;
    throw e;
  }
}

function readText(raw: string, check: (text: string) => string | undefined): Problem | undefined {
  if (raw === "null") return undefined;
  return raw[0] === '"' ? check(JSON.parse(raw)) : { value: nameOf(raw), type: "string" };
}

function nameOf(raw: string): string {
  return raw[0] === "{"
    ? "object"
    : raw[0] === "["
    ? "array"
    : raw[0] === '"'
    ? "string"
    : /^[tf]/.test(raw)
    ? "bool"
    : "number";
}

function isInteger(raw: string, kind: "int32" | "int64"): boolean {
  if (!/^-?[0-9]+$/.test(raw)) return false;
  const value = BigInt(raw);
  return BigInt.asIntN(kind === "int32" ? 32 : 64, value) === value;
}

const GO_SCALARS: Partial<Record<TypeModel["kind"], string>> = {
  boolean: "bool",
  double: "float64",
  bytes: "[]uint8",
  json: "v1.JSON",
  time: "v1.Time",
  microTime: "v1.MicroTime",
  quantity: "resource.Quantity",
  intOrString: "intstr.IntOrString",
};

/** What Go calls a type that has no name of its own. */
function goTypeOf(type: TypeModel): string {
  switch (type.kind) {
    case "struct":
      return type.goName;
    case "list":
      return `[]${goTypeOf(type.element)}`;
    case "map":
      return `map[string]${goTypeOf(type.value)}`;
    default:
      return GO_SCALARS[type.kind] ?? type.kind;
  }
}

function goTypeOfField(field: FieldModel): string {
  return field.goType ?? goTypeOf(field.type);
}

function elementTypeOf(goType: string): string {
  return goTypeBehind(goType).replace(/^\[\]\*?/, "");
}

function valueTypeOf(goType: string): string {
  return goTypeBehind(goType).replace(/^map\[[^\]]*\]\*?/, "");
}
