// Metrics of a configuration file that may change while the server runs, under kube-apiserver's names.
import type { MetricDefinition } from "./definitions.ts";

const SERVER = "apiserver_id_hash";

/** @param what `authentication`, as in the metrics' names; its file comes with `flag` */
export function reloadMetrics(what: string, flag: string) {
  const prefix = `apiserver_${what}_config_controller_`;
  return {
    reloads: {
      name: `${prefix}automatic_reloads_total`,
      type: "counter",
      labels: ["status", SERVER],
      help: `Changes of ${flag} by whether they could be used.`,
    },
    reloaded: {
      name: `${prefix}automatic_reload_last_timestamp_seconds`,
      type: "gauge",
      labels: ["status", SERVER],
      help: `When ${flag} last changed, by whether that could be used.`,
    },
    used: {
      name: `${prefix}last_config_info`,
      type: "gauge",
      labels: [SERVER, "hash"],
      help: `A digest of the ${flag} in use.`,
    },
  } satisfies Record<string, MetricDefinition>;
}
