// /metrics: the text format of Prometheus.
import type { Metrics } from "../../metrics/mod.ts";
import type { RequestHandlerContext } from "../env.ts";
import { respondWith } from "../respond.ts";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** Undefined for other paths. /metrics/slis has the metrics of health checks only. */
export async function handleMetrics(c: RequestHandlerContext, metrics: Metrics): Promise<Response | undefined> {
  const { pathname } = c.get("url");
  if (pathname !== "/metrics" && pathname !== "/metrics/slis") return undefined;
  const text = await metrics.text();
  const body = pathname === "/metrics" ? text : sliMetrics(text);
  return respondWith(c, 200, body, { "content-type": CONTENT_TYPE });
}

function sliMetrics(text: string): string {
  return text.split("\n").filter((line) => /^(# (HELP|TYPE) )?kubernetes_healthcheck/.test(line))
    .map((line) => line + "\n").join("");
}
