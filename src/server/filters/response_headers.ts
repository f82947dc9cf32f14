// Headers of every answer: caching is forbidden, HTTPS is required where that was asked for, warnings are told.
import type { Filter } from "../../endpoints/env.ts";

export interface ResponseHeaderOptions {
  /** Directives of Strict-Transport-Security; empty for no header. */
  hstsDirectives: readonly string[];
}

export function responseHeaders({ hstsDirectives }: ResponseHeaderOptions): Filter {
  const hsts = hstsDirectives.join("; ");
  return async (c, next) => {
    const warnings: string[] = [];
    c.set("warnings", warnings);
    await next();
    const { headers } = c.res;
    if (!headers.has("cache-control")) headers.set("cache-control", "no-cache, private");
    if (hsts !== "") headers.set("strict-transport-security", hsts);
    if (warnings.length > 0) setWarnings(headers, warnings);
  };
}

/** Bytes of all warnings of one answer; beyond it they are cut short, then left out. */
const BUDGET = 4 * 1024;
const SHORT = 256;

function setWarnings(headers: Headers, warnings: readonly string[]): void {
  const total = warnings.reduce((n, text) => n + text.length, 0);
  let left = BUDGET;
  for (const text of warnings) {
    const shown = total > BUDGET && text.length > SHORT ? text.slice(0, SHORT) : text;
    left -= shown.length;
    if (left < 0) return;
    headers.append("warning", `299 - ${quote(shown)}`);
  }
}

/** A quoted string of RFC 7230: no control characters. */
function quote(text: string): string {
  const clean = [...text].filter((c) => c >= " " && c !== "\x7f").join("");
  return `"${clean.replace(/["\\]/g, "\\$&")}"`;
}
