// URLs as Go's net/url reads them: what it takes is what the API takes, and its words are the API's (RFC 3986, with the
// liberties of that package).
import { isIPv6 } from "node:net";
import { goQuote } from "./go_text.ts";

export interface GoUrl {
  scheme: string;
  /** As written, before the `@`. */
  user: string | undefined;
  /** With its port. */
  host: string;
  path: string;
  rawQuery: string;
  fragment: string;
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
/** What may not stand in a host as it is: all ASCII but these. */
const NOT_IN_HOST = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/;

/** Throws an Error such as `parse "a b:c": first path segment in URL cannot contain colon`. */
export function parseGoUrl(text: string): GoUrl {
  const hash = text.indexOf("#"), before = hash < 0 ? text : text.slice(0, hash);
  const url = about(before, () => parse(before));
  if (hash >= 0) url.fragment = about(text, () => unescape(text.slice(hash + 1)));
  return url;
}

function about<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (e) {
    throw new Error(`parse ${goQuote(text)}: ${(e as Error).message}`);
  }
}

function parse(text: string): GoUrl {
  const url: GoUrl = { scheme: "", user: undefined, host: "", path: "", rawQuery: "", fragment: "" };
  if ([...text].some((c) => c < " " || c === "\x7f")) throw new Error("net/url: invalid control character in URL");
  if (text === "*") return { ...url, path: "*" };
  if (text.startsWith(":")) throw new Error("missing protocol scheme");
  let rest = text;
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme !== undefined) {
    url.scheme = scheme.slice(0, -1).toLowerCase();
    rest = text.slice(scheme.length);
  }
  const mark = rest.indexOf("?");
  if (mark >= 0) {
    url.rawQuery = rest.slice(mark + 1);
    rest = rest.slice(0, mark);
  }
  if (!rest.startsWith("/")) {
    // What follows a scheme without a slash is not looked into.
    if (url.scheme !== "") return url;
    if (rest.split("/", 1)[0].includes(":")) {
      throw new Error("first path segment in URL cannot contain colon");
    }
  }
  if (rest.startsWith("//") && (url.scheme !== "" || !rest.startsWith("///"))) {
    const slash = rest.indexOf("/", 2);
    parseAuthority(url, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
    rest = slash < 0 ? "" : rest.slice(slash);
  }
  url.path = unescape(rest);
  return url;
}

function parseAuthority(url: GoUrl, authority: string): void {
  const at = authority.lastIndexOf("@");
  url.host = parseHost(url.scheme, authority.slice(at + 1));
  if (at < 0) return;
  const user = authority.slice(0, at);
  if (!USER.test(user)) throw new Error("net/url: invalid userinfo");
  unescape(user);
  url.user = user;
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
  const wrong = NOT_IN_HOST.exec(host.replace(/%[0-9A-Fa-f]{2}/g, ""))?.[0];
  if (wrong !== undefined) throw new Error(`invalid character ${goQuote(wrong)} in host name`);
  return unescape(host);
}

function unescape(text: string): string {
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
