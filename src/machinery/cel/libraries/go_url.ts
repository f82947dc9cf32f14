// URLs as the API reads them: Go's net/url, which is stricter in some places and laxer in others than browsers are.
import { goQuote } from "../../go_text.ts";
import { EvalError } from "../values/errors.ts";

export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  /** Decoded. */
  readonly path: string;
  /** As it was written, when that differs from how it would be written. */
  readonly rawPath: string;
  readonly opaque: string;
  readonly rawQuery: string;
  readonly fragment: string;
  readonly user: string;
}

class UrlError extends Error {}

/** Parses an absolute URL or path, without a fragment. Throws EvalError in Go's words. */
export function parseRequestUri(text: string): GoUrl {
  return parse(text, true);
}

/** Parses a URL that has been found good by {@link parseRequestUri}, with its fragment. Throws EvalError. */
export function parseUrl(text: string): GoUrl {
  return parse(text, false);
}

function parse(text: string, viaRequest: boolean): GoUrl {
  const hash = viaRequest ? -1 : text.indexOf("#");
  const main = hash < 0 ? text : text.slice(0, hash);
  try {
    return { ...split(main, viaRequest), fragment: hash < 0 ? "" : unescape(text.slice(hash + 1), "") };
  } catch (e) {
    if (!(e instanceof UrlError)) throw e;
    throw new EvalError(`parse ${goQuote(text)}: ${e.message}`);
  }
}

type WithoutFragment = Omit<GoUrl, "fragment">;

function split(text: string, viaRequest: boolean): WithoutFragment {
  // deno-lint-ignore no-control-regex -- control characters are what is refused
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlError("net/url: invalid control character in URL");
  if (text === "" && viaRequest) throw new UrlError("empty url");
  const empty = { scheme: "", host: "", path: "", rawPath: "", opaque: "", rawQuery: "", user: "" };
  if (text === "*") return { ...empty, path: "*" };
  const [scheme, afterScheme] = splitScheme(text);
  const question = afterScheme.indexOf("?");
  let rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  const rawQuery = question < 0 ? "" : afterScheme.slice(question + 1);
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { ...empty, scheme, opaque: rest, rawQuery };
    if (viaRequest) throw new UrlError("invalid URI for request");
    if (rest.split("/", 1)[0].includes(":")) {
      throw new UrlError("first path segment in URL cannot contain colon");
    }
  }
  let authority = { user: "", host: "" };
  if (rest.startsWith("//") && (scheme !== "" || !viaRequest && !rest.startsWith("///"))) {
    const slash = rest.indexOf("/", 2);
    authority = parseAuthority(scheme, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
    rest = slash < 0 ? "" : rest.slice(slash);
  }
  const path = unescape(rest, "");
  return { ...empty, scheme, ...authority, path, rawPath: rest === escapePath(path) ? "" : rest, rawQuery };
}

function splitScheme(text: string): [scheme: string, rest: string] {
  if (text.startsWith(":")) throw new UrlError("missing protocol scheme");
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  return match === null ? ["", text] : [match[1].toLowerCase(), text.slice(match[0].length)];
}

function parseAuthority(scheme: string, authority: string): { user: string; host: string } {
  const at = authority.lastIndexOf("@");
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: "", host };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlError("net/url: invalid userinfo");
  return { user: unescape(user, ""), host };
}

function checkPort(port: string): void {
  if (port !== "" && !/^:\d*$/.test(port)) throw new UrlError(`invalid port ${goQuote(port)} after host`);
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf("[");
  if (open > 0) throw new UrlError("invalid IP-literal");
  if (open === 0) {
    const close = host.lastIndexOf("]");
    if (close < 0) throw new UrlError("missing ']' in host");
    checkPort(host.slice(close + 1));
  } else if (host.includes(":")) {
    const isHttp = scheme === "http" || scheme === "https";
    checkPort(host.slice(isHttp ? host.indexOf(":") : host.lastIndexOf(":")));
  }
  return unescape(host, "host");
}

const HOST_CHARACTERS = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]$/;

/** Throws UrlError. */
function unescape(text: string, mode: "" | "host" | "query"): string {
  const bytes: number[] = [];
  const source = new TextEncoder().encode(text);
  for (let i = 0; i < source.length; i++) {
    const c = source[i];
    if (c === 0x25) {
      const escape = new TextDecoder().decode(source.slice(i, i + 3));
      if (!/^%[0-9a-fA-F]{2}$/.test(escape) || mode === "host" && /^%[0-7]/.test(escape) && escape !== "%25") {
        throw new UrlError(`invalid URL escape ${goQuote(escape)}`);
      }
      bytes.push(parseInt(escape.slice(1), 16));
      i += 2;
    } else if (c === 0x2b && mode === "query") {
      bytes.push(0x20);
    } else {
      if (mode === "host" && c < 0x80 && !HOST_CHARACTERS.test(String.fromCharCode(c))) {
        throw new UrlError(`invalid character ${goQuote(String.fromCharCode(c))} in host name`);
      }
      bytes.push(c);
    }
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
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
    if (part === "" || part.includes(";")) continue;
    const equal = part.indexOf("=");
    try {
      const name = unescape(equal < 0 ? part : part.slice(0, equal), "query");
      const value = unescape(equal < 0 ? "" : part.slice(equal + 1), "query");
      values.set(name, [...values.get(name) ?? [], value]);
    } catch (e) {
      if (!(e instanceof UrlError)) throw e;
    }
  }
  return values;
}
