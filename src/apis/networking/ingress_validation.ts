// Rules of ingresses.
import {
  collect,
  type Field,
  isDNS1123Subdomain,
  isPathSegmentName,
  isPortName,
  isPortNumber,
  isUnset,
  isWildcardDNS1123Subdomain,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  parseIP,
  validateLegacyIP,
} from "../../machinery/validation/mod.ts";
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressLoadBalancerStatus,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressTLS,
  TypedLocalObjectReference,
} from "../../facts/generated/types.ts";

const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];
const BAD_SEQUENCES = ["//", "/./", "/../", "%2f", "%2F"];
const BAD_SUFFIXES = ["/..", "/."];
const NOT_AN_ADDRESS = "must be a DNS name, not an IP address";

/** What old objects may keep although it would be refused in new ones. */
export interface IngressOptions {
  allowInvalidSecretName: boolean;
  allowInvalidWildcardHostRule: boolean;
}

const STRICT: IngressOptions = { allowInvalidSecretName: false, allowInvalidWildcardHostRule: false };

/** `old` is what is stored; undefined on create. */
export function ingressOptions(old: IngressSpec | undefined): IngressOptions {
  if (old === undefined) return STRICT;
  const badRule = (rule: IngressRule) => collect((root) => checkRuleValue(rule, root)).length > 0;
  return {
    allowInvalidSecretName: (old.tls ?? []).some(({ secretName }) => secretNameMessages(secretName).length > 0),
    allowInvalidWildcardHostRule: (old.rules ?? []).some((rule) => rule.host?.includes("*") && badRule(rule)),
  };
}

export function checkIngressSpec(spec: IngressSpec, at: Field, options: IngressOptions): void {
  const { rules = [], tls = [], defaultBackend, ingressClassName } = spec;
  if (rules.length === 0 && !defaultBackend) {
    at.invalid(spec.rules ?? null, "either `defaultBackend` or `rules` must be specified");
  }
  if (defaultBackend) checkBackend(defaultBackend, at.child("defaultBackend"));
  rules.forEach((rule, i) => checkRule(rule, at.child("rules").index(i), options));
  tls.forEach((entry, i) => checkTLS(entry, at.child("tls").index(i), options));
  if (ingressClassName !== undefined) {
    at.child("ingressClassName").invalidEach(ingressClassName, nameIsDNSSubdomain(ingressClassName, false));
  }
}

function checkRule(rule: IngressRule, at: Field, options: IngressOptions): void {
  const { host = "" } = rule, wildcard = host.includes("*"), field = at.child("host");
  if (host !== "") {
    if (parseIP(host) !== undefined) field.invalid(host, NOT_AN_ADDRESS);
    field.invalidEach(host, wildcard ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host));
  }
  if (!wildcard || !options.allowInvalidWildcardHostRule) checkRuleValue(rule, at);
}

function checkRuleValue({ http }: IngressRule, at: Field): void {
  if (!http) return;
  const field = at.child("http", "paths"), paths = http.paths ?? [];
  if (paths.length === 0) field.required();
  paths.forEach((path, i) => checkPath(path, field.index(i)));
}

function checkPath({ path = "", pathType, backend = {} }: HTTPIngressPath, at: Field): void {
  if (isUnset(pathType)) return at.child("pathType").required("pathType must be specified");
  const field = at.child("path");
  if (!PATH_TYPES.includes(pathType)) at.child("pathType").notSupported(pathType, PATH_TYPES);
  else if (pathType !== "ImplementationSpecific") {
    if (!path.startsWith("/")) field.invalid(path, "must be an absolute path");
    for (const bad of BAD_SEQUENCES) if (path.includes(bad)) field.invalid(path, `must not contain '${bad}'`);
    for (const bad of BAD_SUFFIXES) if (path.endsWith(bad)) field.invalid(path, `cannot end with '${bad}'`);
  } else if (path !== "" && !path.startsWith("/")) field.invalid(path, "must be an absolute path");
  checkBackend(backend, at.child("backend"));
}

function checkBackend({ resource, service }: IngressBackend, at: Field): void {
  if (resource && service) at.invalid("", "cannot set both resource and service backends");
  else if (resource) checkReference(resource, at.child("resource"));
  else if (service) checkServiceBackend(service, at);
  else at.invalid("", "resource or service backend is required");
}

function checkServiceBackend({ name = "", port = {} }: IngressServiceBackend, at: Field): void {
  const field = at.child("service", "name");
  if (name === "") field.required();
  else field.invalidEach(name, nameIsDNSLabel(name, false));
  const portField = at.child("service", "port");
  if (port.name && port.number) at.invalid("", "cannot set both port name & port number");
  else if (port.name) portField.child("name").invalidEach(port.name, isPortName(port.name));
  else if (port.number) portField.child("number").invalidEach(port.number, isPortNumber(port.number));
  else at.required("port name or number is required");
}

/** A kind of any group and the name of an object of it. */
export function checkReference({ apiGroup, kind = "", name = "" }: TypedLocalObjectReference, at: Field): void {
  if (!isUnset(apiGroup)) at.child("apiGroup").invalidEach(apiGroup, isDNS1123Subdomain(apiGroup));
  if (kind === "") at.child("kind").required();
  else at.child("kind").invalidEach(kind, isPathSegmentName(kind));
  if (name === "") at.child("name").required();
  else at.child("name").invalidEach(name, isPathSegmentName(name));
}

function checkTLS({ hosts = [], secretName }: IngressTLS, at: Field, options: IngressOptions): void {
  hosts.forEach((host, i) => {
    const messages = host.includes("*") ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host);
    at.child("hosts").index(i).invalidEach(host, messages);
  });
  if (!options.allowInvalidSecretName) at.child("secretName").invalidEach(secretName, secretNameMessages(secretName));
}

function secretNameMessages(name: string | undefined): readonly string[] {
  return name ? nameIsDNSSubdomain(name, false) : [];
}

export function checkIngressStatus(
  status: IngressLoadBalancerStatus | undefined,
  before: IngressLoadBalancerStatus | undefined,
  at: Field,
): void {
  const old = (before?.ingress ?? []).flatMap(({ ip }) => ip || []);
  (status?.ingress ?? []).forEach(({ ip, hostname }, i) => {
    const entry = at.child("ingress").index(i), field = entry.child("hostname");
    if (ip) validateLegacyIP(ip, entry.child("ip"), { old });
    if (!hostname) return;
    field.invalidEach(hostname, isDNS1123Subdomain(hostname));
    if (parseIP(hostname) !== undefined) field.invalid(hostname, NOT_AN_ADDRESS);
  });
}
