// What every kind of the group has in common.
import type { KubeObject } from "../../machinery/types.ts";

const STATIC_SUFFIX = ".static.k8s.io";

function nameWarnings({ metadata: { name = "" } }: KubeObject): string[] {
  if (!name.endsWith(STATIC_SUFFIX)) return [];
  return [
    `metadata.name: names ending with "${STATIC_SUFFIX}" are reserved for static manifest-based configurations and ` +
    "cannot be managed via the API",
  ];
}

export const CONFIGURATION_KIND = {
  generation: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  checksMetadata: true,
  warningsOnCreate: nameWarnings,
  warningsOnUpdate: nameWarnings,
} as const;
