// /version: which Kubernetes the server speaks.
import { methodNotAllowedError, pathNotFoundError } from "../../machinery/errors.ts";
import type { RequestHandlerContext } from "../env.ts";
import { JSON_TYPE } from "../negotiation.ts";
import { respondError } from "../respond.ts";

/** The version of the Kubernetes API that is served. */
export const KUBERNETES_VERSION = { major: "1", minor: "36", patch: "3" };

/** version.Info, in the order in which it is written. */
export interface VersionInfo {
  major: string;
  minor: string;
  emulationMajor: string;
  emulationMinor: string;
  minCompatibilityMajor: string;
  minCompatibilityMinor: string;
  gitVersion: string;
  gitCommit: string;
  gitTreeState: string;
  buildDate: string;
  goVersion: string;
  compiler: string;
  platform: string;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: "amd64", aarch64: "arm64" };

export function versionInfo(): VersionInfo {
  const { major, minor, patch } = KUBERNETES_VERSION;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${major}.${minor}.${patch}`,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "deno",
    platform: `${Deno.build.os}/${ARCHITECTURES[Deno.build.arch] ?? Deno.build.arch}`,
  };
}

/** Undefined for other paths. */
export function handleVersion(c: RequestHandlerContext): Response | undefined | Promise<Response> {
  const { pathname } = c.get("url");
  if (pathname !== "/version" && !pathname.startsWith("/version/")) return undefined;
  if (pathname.length > "/version/".length) return respondError(c, pathNotFoundError());
  if (c.req.method !== "GET") return respondError(c, methodNotAllowedError());
  return c.body(JSON.stringify(versionInfo(), null, 2), 200, { "content-type": JSON_TYPE });
}
