// URLs as Go's net/url reads them: what it takes is what the API takes, and its words are the API's (RFC 3986, with the
// liberties of that package).
import { isIPv6 } from "node:net";
import { goQuote } from "./go_text.ts";

export interface GoUrl {
  readonly scheme: string;
  /** As written, before the `@`. */
  readonly user: string | undefined;
  /** With its port. */
  readonly host: string;
  /** Decoded. */
  readonly path: string;
  /** As it was written, when that differs from how it would be written. */
  readonly rawPath: string;
  readonly rawQuery: string;
  /** Decoded. */
  readonly fragment: string;
}

/** `parse "a b:c": first path segment in URL cannot contain colon` */
export class GoUrlError extends Error {}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
/** What may not stand in a host as it is: all ASCII but these. */
const NOT_IN_HOST = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/;
const EMPTY = { scheme: "", user: undefined, host: "", path: "", rawPath: "", rawQuery: "", fragment: "" };

/** Reads a URL, also a relative one. Throws GoUrlError. */
export function parseUrl(text: string): GoUrl {
  const hash = text.indexOf("#"), before = hash < 0 ? text : text.slice(0, hash);
  const url = about(before, () => parse(before, false));
  return hash < 0 ? url : { ...url, fragment: about(text, () => unescapeUrl(text.slice(hash + 1))) };
}

/** Reads an absolute URL or path, without a fragment, as they stand in a request. Throws GoUrlError. */
export function parseRequestUri(text: string): GoUrl {
  return about(text, () => parse(text, true));
}

function about<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (e) {
    throw new GoUrlError(`parse ${goQuote(text)}: ${(e as Error).message}`);
  }
}

function hasControls(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text[i] < " " || text[i] === "\x7f") return true;
  return false;
}

function parse(text: string, viaRequest: boolean): GoUrl {
  if (hasControls(text)) throw new Error("net/url: invalid control character in URL");
  if (text === "" && viaRequest) throw new Error("empty url");
  if (text === "*") return { ...EMPTY, path: "*" };
  if (text.startsWith(":")) throw new Error("missing protocol scheme");
  const prefix = SCHEME.exec(text)?.[0] ?? "", scheme = prefix.slice(0, -1).toLowerCase();
  const mark = text.indexOf("?", prefix.length), end = mark < 0 ? text.length : mark;
  const rawQuery = text.slice(end + 1);
  let rest = text.slice(prefix.length, end);
  if (!rest.startsWith("/")) {
    // What follows a scheme without a slash is not looked into.
    if (scheme !== "") return { ...EMPTY, scheme, rawQuery };
    if (viaRequest) throw new Error("invalid URI for request");
    if (rest.split("/", 1)[0].includes(":")) throw new Error("first path segment in URL cannot contain colon");
  }
  let authority: Pick<GoUrl, "user" | "host"> = EMPTY;
  if (rest.startsWith("//") && (scheme !== "" || !viaRequest && !rest.startsWith("///"))) {
    const slash = rest.indexOf("/", 2);
    authority = parseAuthority(scheme, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
    rest = slash < 0 ? "" : rest.slice(slash);
  }
  const { user, host } = authority, path = unescapeUrl(rest);
  return { ...EMPTY, scheme, user, host, path, rawPath: rest === escapePath(path) ? "" : rest, rawQuery };
}

function parseAuthority(scheme: string, authority: string): Pick<GoUrl, "user" | "host"> {
  const at = authority.lastIndexOf("@"), host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const user = authority.slice(0, at);
  if (!USER.test(user)) throw new Error("net/url: invalid userinfo");
  unescapeUrl(user);
  return { user, host };
}

function parseHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf("[");
  if (bracket > 0) throw new Error("invalid IP-literal");
  if (bracket === 0) return parseAddress(host);
  // Lists of hosts with ports have several colons; HTTP knows none.
  const web = scheme === "http" || scheme === "https";
  const colon = web ? host.indexOf(":") : host.lastIndexOf(":");
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapeHost(host);
}

/** `[fe80::1%25en0]:80` (RFC 6874). */
function parseAddress(host: string): string {
  const end = host.lastIndexOf("]");
  if (end < 0) throw new Error("missing ']' in host");
  const port = host.slice(end + 1);
  checkPort(port);
  const [address, ...zone] = host.slice(1, end).split("%25");
  const plain = unescapeHost(address);
  if (!isIPv6(plain)) {
    if (/^[\d.]+$/.test(plain)) throw new Error("invalid IP-literal");
    throw new Error(`invalid host: ParseAddr(${goQuote(plain)}): unable to parse IP`);
  }
  return `[${[plain, ...zone].join("%")}]${port}`;
}

function checkPort(port: string): void {
  if (!/^(:\d*)?$/.test(port)) throw new Error(`invalid port ${goQuote(port)} after host`);
}

/** In hosts only what is not ASCII is escaped. */
function unescapeHost(host: string): string {
  const ascii = /%(?!25)[0-7][0-9A-Fa-f]/.exec(host)?.[0];
  if (ascii !== undefined) throw new Error(`invalid URL escape ${goQuote(ascii)}`);
  const wrong = NOT_IN_HOST.exec(host)?.[0];
  if (wrong !== undefined) throw new Error(`invalid character ${goQuote(wrong)} in host name`);
  return unescapeUrl(host);
}

/** Decoded; what is no UTF-8 becomes replacement characters. Throws an Error for a broken escape. */
export function unescapeUrl(text: string): string {
  if (!text.includes("%")) return text;
  const wrong = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (wrong !== null) throw new Error(`invalid URL escape ${goQuote(text.slice(wrong.index, wrong.index + 3))}`);
  const bytes = new TextEncoder().encode(text), out: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== 0x25) out.push(bytes[i]);
    else out.push(parseInt(String.fromCharCode(bytes[++i], bytes[++i]), 16));
  }
  return new TextDecoder().decode(new Uint8Array(out));
}

/** A path with everything escaped that may not stand in one. */
function escapePath(path: string): string {
  return Array.from(new TextEncoder().encode(path), (byte) => {
    const c = String.fromCharCode(byte);
    return /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(c) ? c : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/** The path as it is written in a request. */
export function escapedPath({ path, rawPath }: GoUrl): string {
  if (rawPath !== "" && /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]%/]*$/.test(rawPath)) return rawPath;
  return path === "*" ? "*" : escapePath(path);
}

/** The host without its port and brackets. */
export function hostname({ host }: GoUrl): string {
  const [name] = splitPort(host);
  return name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
}

export function port({ host }: GoUrl): string {
  return splitPort(host)[1];
}

function splitPort(host: string): [host: string, port: string] {
  const colon = host.lastIndexOf(":");
  return colon >= 0 && /^:\d*$/.test(host.slice(colon)) ? [host.slice(0, colon), host.slice(colon + 1)] : [host, ""];
}

/** The query's values by name; parts that cannot be decoded are left out. */
export function query({ rawQuery }: GoUrl): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const part of rawQuery.split("&")) {
    if (part === "" || part.includes(";") || /%(?![0-9A-Fa-f]{2})/.test(part)) continue;
    const equal = part.indexOf("="), decode = (text: string) => unescapeUrl(text.replaceAll("+", " "));
    const name = decode(equal < 0 ? part : part.slice(0, equal));
    values.set(name, [...values.get(name) ?? [], equal < 0 ? "" : decode(part.slice(equal + 1))]);
  }
  return values;
}
