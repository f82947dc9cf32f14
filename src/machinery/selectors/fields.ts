// Field selectors: `metadata.name=a,status.phase!=Running`, parsed as the API parses them.
import { SelectorError } from "./labels.ts";

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** What selectable fields must be like; no requirements let everything through. */
export class FieldSelector {
  constructor(readonly requirements: readonly FieldRequirement[]) {}

  get everything(): boolean {
    return this.requirements.length === 0;
  }

  /** A field that is not there counts as empty. */
  matches(fields: Readonly<Record<string, string>>): boolean {
    for (const { field, operator, value } of this.requirements) {
      if (((fields[field] ?? "") === value) !== (operator === "=")) return false;
    }
    return true;
  }

  /** The value that a field must have exactly; undefined when others would do. */
  requires(field: string): string | undefined {
    return this.requirements.find((r) => r.field === field && r.operator === "=")?.value;
  }

  /** The selector with its fields renamed. `rename` throws to refuse a field. */
  transform(rename: (field: string) => string): FieldSelector {
    return new FieldSelector(this.requirements.map((r) => ({ ...r, field: rename(r.field) })));
  }

  /** The canonical text. */
  toString(): string {
    return this.requirements.map(({ field, operator, value }) => `${field}${operator}${escapeValue(value)}`).join(",");
  }
}

const EVERYTHING = new FieldSelector([]);

/** Throws SelectorError. Which fields there are is checked by {@link FieldSelector.transform}. */
export function parseFieldSelector(text: string): FieldSelector {
  if (text === "") return EVERYTHING;
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).sort()) {
    if (term === "") continue;
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field, operator, value] = match;
    requirements.push({ field, operator: operator === "!=" ? "!=" : "=", value: unescapeValue(value) });
  }
  return new FieldSelector(requirements);
}

/** At commas that no backslash stands before; backslashes stay. */
function splitTerms(text: string): string[] {
  return text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [];
}

function unescapeValue(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (found: string, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw new SelectorError(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    }
    if (escaped === "" || !"\\,=".includes(escaped)) {
      throw new SelectorError(`invalid field selector: invalid escape sequence: ${found}`);
    }
    return escaped;
  });
}

function escapeValue(value: string): string {
  return value.replace(/[\\,=]/g, "\\$&");
}
