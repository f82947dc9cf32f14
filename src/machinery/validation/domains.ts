// Rules of domain names and of what is prefixed by one: checks that report to a field.
import type { Field } from "./field.ts";
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isDNS1123SubdomainWithUnderscore,
  isQualifiedName,
  patternMessage,
} from "./names.ts";

export function validateDNS1123Label(value: string, at: Field): void {
  at.invalidEach(value, isDNS1123Label(value));
}

export function validateDNS1123Subdomain(value: string, at: Field): void {
  at.invalidEach(value, isDNS1123Subdomain(value));
}

export function validateDNS1123SubdomainWithUnderscore(value: string, at: Field): void {
  at.invalidEach(value, isDNS1123SubdomainWithUnderscore(value));
}

export function validateQualifiedName(value: string, at: Field): void {
  at.invalidEach(value, isQualifiedName(value));
}

/** At least three parts: `a.example.com`. */
export function validateFullyQualifiedName(name: string, at: Field): void {
  if (name === "") return at.required();
  const messages = isDNS1123Subdomain(name);
  if (messages.length > 0) at.invalid(name, messages.join(","));
  else if (name.split(".").length < 3) {
    at.invalid(name, "should be a domain with at least three segments separated by dots");
  }
}

/** At least two parts, each a label; a dot at the end is fine: `example.com.` */
export function validateFullyQualifiedDomainName(given: string, at: Field): void {
  if (given === "") return at.required();
  const name = given.endsWith(".") ? given.slice(0, -1) : given;
  const messages = isDNS1123Subdomain(name);
  if (messages.length > 0) return at.invalid(name, messages.join(","));
  const labels = name.split(".");
  if (labels.length < 2) return at.invalid(name, "should be a domain with at least two segments separated by dots");
  for (const label of labels) {
    const wrong = isDNS1123Label(label);
    if (wrong.length > 0) return at.invalid(label, wrong.join(","));
  }
}

const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const HTTP_PATH_EXPRESSION = new RegExp(`^${HTTP_PATH}$`);

/** `acme.io/foo/bar`: a domain and a path of HTTP (RFC 3986). */
export function validateDomainPrefixedPath(value: string, at: Field): void {
  if (value === "") return at.required();
  const slash = value.indexOf("/");
  if (slash <= 0 || slash === value.length - 1) {
    return at.invalid(value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  }
  const host = value.slice(0, slash), path = value.slice(slash + 1);
  at.invalidEach(host, isDNS1123Subdomain(host));
  if (!HTTP_PATH_EXPRESSION.test(path)) at.invalid(path, patternMessage("Invalid path", HTTP_PATH));
}
