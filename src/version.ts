// What this program is, and which Kubernetes it speaks for.
import manifest from "../deno.json" with { type: "json" };

export const KUBELITH_VERSION = `v${manifest.version}`;
/** The version of the Kubernetes API that is served. */
export const KUBERNETES_VERSION = "v1.36.3";
