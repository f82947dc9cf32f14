// /version: which Kubernetes the server speaks.
import { methodNotAllowedError, pathNotFoundError } from "../../machinery/errors.ts";
import type { Metrics } from "../../metrics/mod.ts";
import { KUBERNETES_VERSION } from "../../version.ts";
import type { RequestHandlerContext } from "../env.ts";
import { JSON_TYPE } from "../negotiation.ts";
import { respondError } from "../respond.ts";

/** version.Info, in the order in which it is written. */
interface VersionInfo {
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

function versionInfo(): VersionInfo {
  const [major, minor] = KUBERNETES_VERSION.slice(1).split(".");
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: KUBERNETES_VERSION,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "deno",
    platform: `${Deno.build.os}/${ARCHITECTURES[Deno.build.arch] ?? Deno.build.arch}`,
  };
}

/** The same as kubernetes_build_info. */
export function recordVersion(metrics: Metrics): void {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = versionInfo();
  metrics.set("buildInfo", {
    major,
    minor,
    git_version: gitVersion,
    git_commit: gitCommit,
    git_tree_state: gitTreeState,
    build_date: buildDate,
    go_version: goVersion,
    compiler,
    platform,
  }, 1);
}

/** Undefined for other paths. */
export function handleVersion(c: RequestHandlerContext): Response | undefined | Promise<Response> {
  const { pathname } = c.get("url");
  if (pathname !== "/version" && !pathname.startsWith("/version/")) return undefined;
  if (pathname.length > "/version/".length) return respondError(c, pathNotFoundError());
  if (c.req.method !== "GET") return respondError(c, methodNotAllowedError());
  return c.body(JSON.stringify(versionInfo(), null, 2), 200, { "content-type": JSON_TYPE });
}
