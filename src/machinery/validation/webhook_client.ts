// How the server reaches a webhook: a URL, or a service, and the certificates it trusts there.
import { X509Certificate } from "node:crypto";
import { parseUrl } from "../go_url.ts";
import type { Field } from "./field.ts";
import { isDNS1123Subdomain, rangeMessage } from "./names.ts";

const FORM = "; desired format: https://host[/path]";
const MAX_PORT = 65535;

export function validateWebhookUrl(text: string, at: Field): void {
  let url;
  try {
    url = parseUrl(text);
  } catch (e) {
    return at.required(`url must be a valid URL: ${(e as Error).message}${FORM}`);
  }
  if (url.scheme !== "https") at.invalid(url.scheme, `'https' is the only allowed URL scheme${FORM}`);
  if (url.host === "") at.invalid("", `host must be specified${FORM}`);
  if (url.user !== undefined) at.invalid(url.user, "user information is not permitted in the URL");
  if (url.fragment !== "") at.invalid(url.fragment, "fragments are not permitted in the URL");
  if (url.rawQuery !== "") at.invalid(url.rawQuery, "query parameters are not permitted in the URL");
}

export interface WebhookService {
  namespace?: string;
  name?: string;
  path?: string;
  port?: number;
}

export function validateWebhookService({ namespace, name, path, port = 0 }: WebhookService, at: Field): void {
  if (!name) at.child("name").required();
  if (!namespace) at.child("namespace").required();
  if (port < 1 || port > MAX_PORT) at.child("port").invalid(port, `port is not valid: ${rangeMessage(1, MAX_PORT)}`);
  if (path !== undefined) validateServicePath(path, at.child("path"));
}

function validateServicePath(path: string, at: Field): void {
  if (path === "" || path === "/") return;
  if (path === "//") return at.invalid(path, "segment[0] may not be empty");
  if (!path.startsWith("/")) at.invalid(path, "must start with a '/'");
  path.slice(1).replace(/\/$/, "").split("/").forEach((segment, i) => {
    if (segment === "") return at.invalid(path, `segment[${i}] may not be empty`);
    at.invalidEach(path, isDNS1123Subdomain(segment).map((message) => `segment[${i}]: ${message}`));
  });
}

const BLOCK = /-----BEGIN CERTIFICATE-----\s[^:]+?-----END CERTIFICATE-----/g;

/** What is wrong with a bundle (PEM in base64) that has no certificate in it; an empty one is fine. */
export function caBundleProblem(base64: string): string | undefined {
  if (base64 === "") return undefined;
  const text = atob(base64), blocks = text.match(BLOCK) ?? [];
  if (blocks.some(isCertificate)) return undefined;
  if (blocks.length > 0) {
    return "unable to load root certificates: failed to parse certificate: x509: malformed certificate";
  }
  return `unable to load root certificates: ${
    /-----BEGIN [^-]+-----/.test(text)
      ? "no valid certificate authority data seen"
      : "unable to parse bytes as PEM block"
  }`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
