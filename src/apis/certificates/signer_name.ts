// Names of signers: a domain and a path, `example.com/signer-name`.
import { type Field, isDNS1123Label, isDNS1123Subdomain } from "../../machinery/validation/mod.ts";
import { goQuote } from "../../machinery/go_text.ts";

const MAX_DOMAIN = 253, MAX_NAME = MAX_DOMAIN + 253 + 63 + 1 + 1;

export function validateSignerName(name: string, at: Field): void {
  if (name === "") return at.required();
  const segments = name.split("/");
  if (segments.length !== 2) {
    return at.invalid(name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
  }
  const [domain, path] = segments;
  if (domain.length > MAX_DOMAIN) at.tooLong(MAX_DOMAIN);
  validateLabels(domain, isDNS1123Label, at);
  if (!domain.includes(".")) at.invalid(domain, "should be a domain with at least two segments separated by dots");
  validateLabels(path, isDNS1123Subdomain, at);
  if (name.length > MAX_NAME) at.tooLong(MAX_NAME);
}

/** The first label that is wrong is told alone. */
function validateLabels(segment: string, check: (label: string) => readonly string[], at: Field): void {
  for (const label of segment.split(".")) {
    const messages = check(label);
    if (messages.length === 0) continue;
    for (const message of messages) at.invalid(segment, `validating label ${goQuote(label)}: ${message}`);
    return;
  }
}
