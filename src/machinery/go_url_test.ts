import assert from "node:assert/strict";
import { parseRequestUri, parseUrl, query } from "./go_url.ts";

Deno.test("parts of a URL", () => {
  assert.deepEqual(parseUrl("HTTPS://u:p@h.example.com:8443/a%20b?q=1#f%41"), {
    scheme: "https",
    user: "u:p",
    host: "h.example.com:8443",
    path: "/a b",
    rawPath: "",
    rawQuery: "q=1",
    fragment: "fA",
  });
  assert.equal(parseUrl("https://[fe80::1%25en0]:80/x").host, "[fe80::1%en0]:80");
  assert.equal(parseUrl("mailto:x").host, "");
  assert.equal(parseUrl("/only/path").path, "/only/path");
  assert.equal(parseUrl("pg://a:1,b:2/x").host, "a:1,b:2");
});

Deno.test("what is no URL is told as Go tells it", () => {
  const refused: Record<string, string> = {
    ":foo": 'parse ":foo": missing protocol scheme',
    "a b:c": 'parse "a b:c": first path segment in URL cannot contain colon',
    "https://h:x/": 'parse "https://h:x/": invalid port ":x" after host',
    "https://a b/": 'parse "https://a b/": invalid character " " in host name',
    "https://h/%zz": 'parse "https://h/%zz": invalid URL escape "%zz"',
    "https://h/%2": 'parse "https://h/%2": invalid URL escape "%2"',
    "https://[::1/": "parse \"https://[::1/\": missing ']' in host",
    "https://\x01/": 'parse "https://\\x01/": net/url: invalid control character in URL',
    "https://a%41/": 'parse "https://a%41/": invalid URL escape "%41"',
    "https://a:1:2/": 'parse "https://a:1:2/": invalid port ":1:2" after host',
  };
  for (const [text, message] of Object.entries(refused)) assert.throws(() => parseUrl(text), { message });
});

Deno.test("in a request stands an absolute URL or path", () => {
  assert.equal(parseRequestUri("/a#b?c").path, "/a#b");
  assert.throws(() => parseRequestUri(""), { message: 'parse "": empty url' });
  assert.throws(() => parseRequestUri("a/b"), { message: 'parse "a/b": invalid URI for request' });
  assert.throws(() => parseRequestUri("https://[zz]/"), {
    message: 'parse "https://[zz]/": invalid host: ParseAddr("zz"): unable to parse IP',
  });
  assert.deepEqual([...query(parseRequestUri("/?a=1&b=+%41&a=%zz&c;d"))], [["a", ["1"]], ["b", [" A"]]]);
});
