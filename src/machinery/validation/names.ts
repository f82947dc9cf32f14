// Rules of names: each gives back what is wrong with a value in words, nothing when it is good.
const NONE: readonly string[] = [];

/** Messages about a value; empty when there is nothing wrong. */
export type Messages = readonly string[];

/** Bytes of `text` in UTF-8: what limits count. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // Of a surrogate pair, which is four bytes, each half counts two.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

function tooLongMessage(max: number): string {
  return `must be no more than ${max} characters`;
}

export function rangeMessage(min: number, max: number): string {
  return `must be between ${min} and ${max}, inclusive`;
}

/** Says that a value does not match, with examples of some that do. */
export function patternMessage(what: string, pattern: string, ...examples: string[]): string {
  if (examples.length === 0) return `${what} (regex used for validation is '${pattern}')`;
  const shown = examples.map((e) => `'${e}', `).join(" or ");
  return `${what} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

interface Rule {
  pattern: string;
  expression: RegExp;
  /** In bytes. */
  max?: number;
  message: string;
}

function rule(pattern: string, what: string, options: { max?: number; examples: string[] }): Rule {
  return {
    pattern,
    expression: new RegExp(`^${pattern}$`),
    max: options.max,
    message: patternMessage(what, pattern, ...options.examples),
  };
}

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const LABEL_WITH_UNDERSCORE = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const SUBDOMAIN_WITH_UNDERSCORE = `${LABEL_WITH_UNDERSCORE}(\\.${LABEL_WITH_UNDERSCORE})*`;
const LABEL_KEY_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const ENDS = "and must start and end with an alphanumeric character";

const RULES = {
  label: rule(LABEL, `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ENDS}`, {
    max: 63,
    examples: ["my-name", "123-abc"],
  }),
  subdomain: rule(
    SUBDOMAIN,
    `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ENDS}`,
    { max: 253, examples: ["example.com"] },
  ),
  subdomainWithUnderscore: rule(
    SUBDOMAIN_WITH_UNDERSCORE,
    `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', ${ENDS}`,
    { max: 253, examples: ["example.com"] },
  ),
  wildcardSubdomain: rule(
    `\\*\\.${SUBDOMAIN}`,
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of " +
      "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    { max: 253, examples: ["*.example.com"] },
  ),
  label1035: rule(
    "[a-z]([-a-z0-9]*[a-z0-9])?",
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
      "and end with an alphanumeric character",
    { max: 63, examples: ["my-name", "abc-123"] },
  ),
  labelValue: rule(
    `(${LABEL_KEY_NAME})?`,
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " + ENDS,
    { examples: ["MyValue", "my_value", "12345"] },
  ),
  percent: rule("[0-9]+%", "a valid percent string must be a numeric string followed by an ending '%'", {
    examples: ["1%", "93%"],
  }),
  httpHeader: rule("[-A-Za-z0-9]+", "a valid HTTP header must consist of alphanumeric characters or '-'", {
    examples: ["X-Header-Name"],
  }),
  configKey: rule(
    "[-._a-zA-Z0-9]+",
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    { max: 253, examples: ["key.name", "KEY_NAME", "key-name"] },
  ),
  cIdentifier: rule(
    "[A-Za-z_][A-Za-z0-9_]*",
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric " +
      "characters or '_'",
    { examples: ["my_name", "MY_NAME", "MyName"] },
  ),
} as const;

function check(value: string, r: Rule): Messages {
  const long = r.max !== undefined && value.length * 3 > r.max && byteLength(value) > r.max;
  const good = r.expression.test(value);
  if (good && !long) return NONE;
  const messages: string[] = [];
  if (long) messages.push(tooLongMessage(r.max!));
  if (!good) messages.push(r.message);
  return messages;
}

/** A label of DNS (RFC 1123), at most 63 bytes. */
export function isDNS1123Label(value: string): Messages {
  const messages = check(value, RULES.label);
  if (messages.length > 0 && !RULES.label.expression.test(value) && RULES.subdomain.expression.test(value)) {
    return [...messages.slice(0, -1), "must not contain dots"];
  }
  return messages;
}

/** A subdomain of DNS (RFC 1123), at most 253 bytes. */
export function isDNS1123Subdomain(value: string): Messages {
  return check(value, RULES.subdomain);
}

/** The same rule, as kinds word it whose rules are declared with their types: it counts bytes. */
export function longNameMessages(value: string): Messages {
  return isDNS1123Subdomain(value).map((m) => m === tooLongMessage(253) ? "must be no more than 253 bytes" : m);
}

export function isDNS1123SubdomainWithUnderscore(value: string): Messages {
  return check(value, RULES.subdomainWithUnderscore);
}

/** `*.example.com` (RFC 1034, section 4.3.3). */
export function isWildcardDNS1123Subdomain(value: string): Messages {
  return check(value, RULES.wildcardSubdomain);
}

/** A label of DNS as RFC 1035 had it: it starts with a letter. */
export function isDNS1035Label(value: string): Messages {
  return check(value, RULES.label1035);
}

const LABEL_KEY_EXPRESSION = new RegExp(`^${LABEL_KEY_NAME}$`);
const LABEL_KEY_MESSAGE = patternMessage(
  `must consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`,
  LABEL_KEY_NAME,
  "MyName",
  "my.name",
  "123-abc",
);

/** A qualified name, as label keys are: `name` or `example.com/name`. */
export function isQualifiedName(value: string): Messages {
  const slash = value.indexOf("/");
  const name = slash < 0 ? value : value.slice(slash + 1);
  if (name.includes("/")) {
    return [
      `a valid label key ${LABEL_KEY_MESSAGE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const messages: string[] = [];
  if (slash === 0) messages.push("prefix part must be non-empty");
  else if (slash > 0) {
    for (const message of longNameMessages(value.slice(0, slash))) messages.push(`prefix part ${message}`);
  }
  if (name === "") messages.push("name part must be non-empty");
  else if (byteLength(name) > 63) messages.push("name part must be no more than 63 bytes");
  if (!LABEL_KEY_EXPRESSION.test(name)) messages.push(`name part ${LABEL_KEY_MESSAGE}`);
  return messages.length === 0 ? NONE : messages;
}

/** A label's value: at most 63 bytes, may be empty. */
export function isLabelValue(value: string): Messages {
  const messages = check(value, RULES.labelValue);
  return byteLength(value) > 63 ? ["must be no more than 63 bytes", ...messages] : messages;
}

/** A name that can stand in the path of a URL; there is no limit of its length. */
export function isPathSegmentName(name: string): Messages {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return isPathSegmentPrefix(name);
}

/** The start of a name that can stand in the path of a URL. */
function isPathSegmentPrefix(name: string): Messages {
  if (!name.includes("/") && !name.includes("%")) return NONE;
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** An IANA service name (RFC 6335), as named ports are: at most 15 of [-a-z0-9] with a letter among them. */
export function isPortName(port: string): Messages {
  const messages: string[] = [];
  if (byteLength(port) > 15) messages.push(tooLongMessage(15));
  if (!/^[-a-z0-9]+$/.test(port)) {
    messages.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(port)) messages.push("must contain at least one letter (a-z)");
  if (port.includes("--")) messages.push("must not contain consecutive hyphens");
  if (port.startsWith("-") || port.endsWith("-")) messages.push("must not begin or end with a hyphen");
  return messages;
}

/** `93%` */
export function isPercent(value: string): Messages {
  return check(value, RULES.percent);
}

export function isHTTPHeaderName(value: string): Messages {
  return check(value, RULES.httpHeader);
}

export function isCIdentifier(value: string): Messages {
  return check(value, RULES.cIdentifier);
}

function parentDirectoryMessages(value: string): Messages {
  if (value === "." || value === "..") return [`must not be '${value}'`];
  return value.startsWith("..") ? ["must not start with '..'"] : NONE;
}

/** The name of an environment variable: printable ASCII but `=` (KEP-4369). */
export function isRelaxedEnvVarName(value: string): Messages {
  if (value === "") return ["environment variable name must be non-empty"];
  if (/^[ -<>-~]+$/.test(value)) return NONE;
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** A key of a ConfigMap or Secret. */
export function isConfigMapKey(value: string): Messages {
  return [...check(value, RULES.configKey), ...parentDirectoryMessages(value)];
}

/** Of a generateName only what will stand before the random part counts: a dash at the end is fine. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? name.slice(0, -2) + "a" : name;
}

/** Messages about a metadata.name; `prefix`: it is a generateName. */
export type ValidateName = (name: string, prefix: boolean) => readonly string[];

export function nameIsDNSSubdomain(name: string, prefix: boolean): string[] {
  return [...isDNS1123Subdomain(prefix ? maskTrailingDash(name) : name)];
}

export function nameIsDNSLabel(name: string, prefix: boolean): string[] {
  return [...isDNS1123Label(prefix ? maskTrailingDash(name) : name)];
}

export function nameIsDNS1035Label(name: string, prefix: boolean): string[] {
  return [...isDNS1035Label(prefix ? maskTrailingDash(name) : name)];
}

export function nameIsPathSegment(name: string, prefix: boolean): string[] {
  return [...(prefix ? isPathSegmentPrefix(name) : isPathSegmentName(name))];
}
