// Named formats of text: `format.dns1123Label().validate(x)`.
import { GoUrlError, parseRequestUri } from "../../go_url.ts";
import {
  isLabelValue,
  isQualifiedName,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
} from "../../validation/names.ts";
import { REGEX_LENGTH, TRAVERSAL } from "../cost/factors.ts";
import { sizeOf } from "../cost/estimate.ts";
import { scale } from "../cost/range.ts";
import { declare, type FunctionDeclaration, type Library } from "../environment.ts";
import { type CelType, listOf, optionalOf, STRING, structOf } from "../types.ts";
import { noSuchOverload } from "../values/errors.ts";
import { costSize } from "../values/operations.ts";
import { parseDate, parseTimestamp } from "../values/time.ts";
import { ArrayList, NONE, OpaqueValue, Optional, type Value } from "../values/value.ts";
import { form, method, NOMINAL, text } from "./define.ts";

const FORMAT = structOf("kubernetes.NamedFormat");
const MAX_PATTERN = 128;

class FormatValue extends OpaqueValue {
  readonly type: CelType = FORMAT;

  constructor(
    readonly name: string,
    /** What is wrong with a text. */
    readonly validate: (text: string) => readonly string[],
    /** The length of the pattern that stands for its cost. */
    readonly pattern: number,
  ) {
    super();
  }

  equals(other: Value): boolean {
    if (!(other instanceof FormatValue)) throw noSuchOverload();
    return other.name === this.name;
  }
}

function pattern(regex: RegExp, message: string): (text: string) => string[] {
  return (text) => regex.test(text) ? [] : [message];
}

function uriMessages(text: string): string[] {
  try {
    parseRequestUri(text);
    return [];
  } catch (e) {
    if (e instanceof GoUrlError) return [e.message];
    throw e;
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const FORMATS: readonly (readonly [call: string, format: FormatValue])[] = [
  ["dns1123Label", new FormatValue("DNS1123Label", (text) => nameIsDNSLabel(text, false), 30)],
  ["dns1123Subdomain", new FormatValue("DNS1123Subdomain", (text) => nameIsDNSSubdomain(text, false), 60)],
  ["dns1035Label", new FormatValue("DNS1035Label", (text) => nameIsDNS1035Label(text, false), 30)],
  ["qualifiedName", new FormatValue("QualifiedName", isQualifiedName, 60)],
  ["dns1123LabelPrefix", new FormatValue("DNS1123LabelPrefix", (text) => nameIsDNSLabel(text, true), 30)],
  ["dns1123SubdomainPrefix", new FormatValue("DNS1123SubdomainPrefix", (text) => nameIsDNSSubdomain(text, true), 60)],
  ["dns1035LabelPrefix", new FormatValue("DNS1035LabelPrefix", (text) => nameIsDNS1035Label(text, true), 30)],
  ["labelValue", new FormatValue("LabelValue", isLabelValue, 40)],
  ["uri", new FormatValue("URI", uriMessages, 2083)],
  ["uuid", new FormatValue("uuid", pattern(UUID, "does not match the UUID format"), 81)],
  [
    "byte",
    new FormatValue("byte", (text) => text !== "" && BASE64.test(text) ? [] : ["invalid base64"], 88),
  ],
  ["date", new FormatValue("date", (text) => parseDate(text) === undefined ? ["invalid date"] : [], 138)],
  [
    "datetime",
    new FormatValue("datetime", (text) => parseTimestamp(text) === undefined ? ["invalid datetime"] : [], 138),
  ],
];

const BY_NAME = new Map(FORMATS);

function validate(format: Value, value: Value): Value {
  if (!(format instanceof FormatValue)) throw noSuchOverload();
  const messages = format.validate(text(value));
  return messages.length === 0 ? NONE : new Optional(new ArrayList([...messages]));
}

function named(name: Value): Value {
  const format = BY_NAME.get(text(name));
  return format === undefined ? NONE : new Optional(format);
}

const constants: FunctionDeclaration[] = FORMATS.map(([name, format]) =>
  declare(`format.${name}`, form(`format.${name}`, [], FORMAT, () => format))
);

export const NAMED_FORMATS: Library = {
  functions: [
    ...constants,
    declare(
      "validate",
      method("format-validate", [FORMAT, STRING], optionalOf(listOf(STRING)), validate, {
        cost: ([format, value]) => {
          const length = format instanceof FormatValue ? format.pattern : MAX_PATTERN;
          return Math.ceil((1 + costSize(value)) * TRAVERSAL) * Math.ceil(length * REGEX_LENGTH);
        },
        estimate: (estimator, _target, args) => ({
          cost: scale(scale(sizeOf(estimator, args[0]), TRAVERSAL), MAX_PATTERN * REGEX_LENGTH),
        }),
      }),
    ),
    declare("format.named", form("format-named", [STRING], optionalOf(FORMAT), named, NOMINAL)),
  ],
};
