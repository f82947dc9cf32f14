// What string and bytes literals stand for (CEL specification, "String and Bytes Values").

/** A literal whose escapes make no sense; the message is the language's. */
export class LiteralError extends Error {}

const SIMPLE: Record<string, number> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  "\\": 92,
  "'": 39,
  '"': 34,
  "`": 96,
  "?": 63,
};

/** The text between the quotes and whether escapes count in it. */
function unquote(token: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(token);
  const quoted = raw ? token.slice(1) : token;
  const triple = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''"));
  return { body: triple ? quoted.slice(3, -3) : quoted.slice(1, -1), raw };
}

const ESCAPE = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/gsu;

/** A string literal's value. Throws LiteralError. */
export function stringValue(token: string): string {
  const { body, raw } = unquote(token);
  if (raw) return body;
  return body.replace(ESCAPE, (_, hex, short, long, octal, simple) => {
    const point = simple !== undefined ? SIMPLE[simple] : octal !== undefined ? parseInt(octal, 8) : parseInt(
      hex ?? short ?? long,
      16,
    );
    if (point > 0x10ffff || point >= 0xd800 && point <= 0xdfff) throw new LiteralError("invalid unicode code point");
    return String.fromCodePoint(point);
  });
}

/** A bytes literal's value, `b` included in the token. Throws LiteralError. */
export function bytesValue(token: string): Uint8Array {
  const { body, raw } = unquote(token.slice(1));
  const encoder = new TextEncoder();
  if (raw) return encoder.encode(body);
  const bytes: number[] = [];
  let last = 0;
  for (const match of body.matchAll(ESCAPE)) {
    bytes.push(...encoder.encode(body.slice(last, match.index)));
    last = match.index + match[0].length;
    const [, hex, short, long, octal, simple] = match;
    if (short !== undefined || long !== undefined) throw new LiteralError("unable to unescape string");
    bytes.push(simple !== undefined ? SIMPLE[simple] : octal !== undefined ? parseInt(octal, 8) : parseInt(hex, 16));
  }
  bytes.push(...encoder.encode(body.slice(last)));
  return Uint8Array.from(bytes);
}
