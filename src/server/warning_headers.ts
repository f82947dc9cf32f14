// Warnings of an answer as Warning headers (RFC 7234, section 5.5), within bounds that clients can take.

/** Characters of all warnings of one answer, and of each once there are more. */
const BUDGET = 4 * 1024, SHORT = 256;
const CODE = 299;

/** Header values for the texts; when there are too many, each is cut short and the last are left out. */
export function warningHeaders(texts: readonly string[]): string[] {
  let written = 0, cut = false, shown: string[] = [];
  for (const text of texts) {
    if (cut && written >= BUDGET) break;
    const next = cut ? text.slice(0, SHORT) : text;
    shown.push(next);
    written += next.length;
    if (cut || written <= BUDGET) continue;
    cut = true;
    shown = shown.map((text) => text.slice(0, SHORT));
    written = shown.reduce((n, text) => n + text.length, 0);
  }
  return shown.map((text) => `${CODE} - ${quote(text)}`);
}

// deno-lint-ignore no-control-regex -- control characters are what it is about
const CONTROL = /[\x00-\x1f\x7f-\x9f]/g;

/** A quoted string (RFC 7230, section 3.2.6) in UTF-8, whose bytes stand for themselves in a header. */
function quote(text: string): string {
  const clean = text.replace(CONTROL, "").replace(/["\\]/g, "\\$&");
  // deno-lint-ignore no-control-regex -- everything that is not ASCII
  const bytes = /^[\x00-\x7f]*$/.test(clean) ? clean : String.fromCharCode(...new TextEncoder().encode(clean));
  return `"${bytes}"`;
}
