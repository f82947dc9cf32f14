// URLs and their parts.
import { escapedPath, type GoUrl, GoUrlError, hostname, parseRequestUri, parseUrl, port, query } from "../../go_url.ts";
import { declare, type Library } from "../environment.ts";
import { BOOL, type CelType, listOf, mapOf, STRING, structOf } from "../types.ts";
import { EvalError, noSuchOverload } from "../values/errors.ts";
import { ArrayList, HashMap, OpaqueValue, type Value } from "../values/value.ts";
import { form, method, NOMINAL, text, traverses } from "./define.ts";

const URL_TYPE = structOf("kubernetes.URL");

class UrlValue extends OpaqueValue {
  readonly type: CelType = URL_TYPE;

  constructor(readonly url: GoUrl) {
    super();
  }

  equals(other: Value): boolean {
    return JSON.stringify(url(other)) === JSON.stringify(this.url);
  }
}

function url(value: Value): GoUrl {
  if (!(value instanceof UrlValue)) throw noSuchOverload();
  return value.url;
}

function parse(value: Value): Value {
  try {
    parseRequestUri(text(value));
    return new UrlValue(parseUrl(text(value)));
  } catch (e) {
    if (!(e instanceof GoUrlError)) throw e;
    throw new EvalError(`URL parse error during conversion from string: ${e.message}`);
  }
}

function isUrl(value: Value): Value {
  try {
    parseRequestUri(text(value));
    return true;
  } catch (e) {
    if (e instanceof GoUrlError) return false;
    throw e;
  }
}

function queryMap(value: Value): Value {
  const map = new HashMap();
  for (const [name, values] of query(url(value))) map.set(name, new ArrayList(values));
  return map;
}

function part(name: string, id: string, get: (url: GoUrl) => string) {
  return declare(name, method(id, [URL_TYPE], STRING, (value) => get(url(value)), NOMINAL));
}

export const URLS: Library = {
  functions: [
    declare("url", form("string_to_url", [STRING], URL_TYPE, parse, traverses(1, true))),
    declare("isURL", form("is_url_string", [STRING], BOOL, isUrl)),
    part("getScheme", "url_get_scheme", (u) => u.scheme),
    part("getHost", "url_get_host", (u) => u.host),
    part("getHostname", "url_get_hostname", hostname),
    part("getPort", "url_get_port", port),
    part("getEscapedPath", "url_get_escaped_path", escapedPath),
    declare(
      "getQuery",
      method("url_get_query", [URL_TYPE], mapOf(STRING, listOf(STRING)), queryMap, NOMINAL),
    ),
  ],
};
