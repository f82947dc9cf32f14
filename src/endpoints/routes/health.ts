// /healthz, /livez and /readyz: all checks at once, with `verbose` and `exclude`, or a single one below the path.
import type { RequestHandlerContext } from "../env.ts";
import { parseQuery } from "../query.ts";

const TEXT = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

/** A named check of /healthz, /livez and /readyz; throws when it fails. */
export interface HealthCheck {
  name: string;
  /** Which of the three endpoints show it. */
  endpoints: readonly ("healthz" | "livez" | "readyz")[];
  check(): void | Promise<void>;
}

/** Told of a failed check with its reason, which callers of the public path never see. */
export type FailureLogger = (endpoint: string, check: string, error: unknown) => void;

/** Undefined for other paths, and for checks that are not there. Any method will do. */
export async function handleHealth(
  c: RequestHandlerContext,
  checks: readonly HealthCheck[],
  onFailure: FailureLogger,
): Promise<Response | undefined> {
  const [, endpoint, ...rest] = c.get("url").pathname.split("/");
  if (endpoint !== "healthz" && endpoint !== "livez" && endpoint !== "readyz") return undefined;
  const installed = checks.filter((check) => check.endpoints.includes(endpoint));
  if (rest.length === 0) return await checkAll(c, endpoint, installed, onFailure);
  const name = rest.join("/");
  const check = installed.find((check) => check.name === name);
  return check && await checkOne(c, check);
}

async function checkAll(
  c: RequestHandlerContext,
  endpoint: string,
  checks: readonly HealthCheck[],
  onFailure: FailureLogger,
): Promise<Response> {
  const query = parseQuery(c.get("url").search);
  const unknown = new Set(query.get("exclude"));
  const excluded = new Set(unknown);
  let output = "";
  let failed = false;
  for (const check of checks) {
    if (excluded.has(check.name)) {
      unknown.delete(check.name);
      output += `[+]${check.name} excluded: ok\n`;
      continue;
    }
    try {
      await check.check();
      output += `[+]${check.name} ok\n`;
    } catch (error) {
      failed = true;
      output += `[-]${check.name} failed: reason withheld\n`;
      onFailure(endpoint, check.name, error);
    }
  }
  if (unknown.size > 0) {
    const names = [...unknown].sort().map((name) => JSON.stringify(name)).join(", ");
    output += `warn: some health checks cannot be excluded: no matches for ${names}\n`;
  }
  if (failed) return c.body(`${output}${endpoint} check failed\n`, 500, TEXT);
  return c.body(query.has("verbose") ? `${output}${endpoint} check passed\n` : "ok", 200, TEXT);
}

async function checkOne(c: RequestHandlerContext, check: HealthCheck): Promise<Response> {
  try {
    await check.check();
    return c.body("ok", 200, { "content-type": TEXT["content-type"] });
  } catch (error) {
    return c.body(`internal server error: ${error instanceof Error ? error.message : error}\n`, 500, TEXT);
  }
}

/** The paths of the checks, for the index. */
export function healthPaths(checks: readonly HealthCheck[]): string[] {
  const paths = ["/healthz", "/livez", "/readyz"];
  for (const check of checks) {
    for (const endpoint of check.endpoints) paths.push(`/${endpoint}/${check.name}`);
  }
  return paths;
}
