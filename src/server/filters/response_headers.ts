// Headers of every answer: caching is forbidden, HTTPS is required where that was asked for, warnings are told.
import { warningHeaders } from "../warning_headers.ts";
import { afterwards, type Filter } from "./filter.ts";

export interface ResponseHeaderOptions {
  /** Directives of Strict-Transport-Security; empty for no header. */
  hstsDirectives: readonly string[];
}

export function responseHeaders({ hstsDirectives }: ResponseHeaderOptions): Filter {
  const hsts = hstsDirectives.join("; ");
  return (c, next) => {
    const warnings: string[] = [];
    c.set("warnings", warnings);
    return afterwards(next(), () => {
      const { headers } = c.res;
      if (!headers.has("cache-control")) headers.set("cache-control", "no-cache, private");
      if (hsts !== "") headers.set("strict-transport-security", hsts);
      for (const value of warnings.length === 0 ? [] : warningHeaders(warnings)) headers.append("warning", value);
    });
  };
}
