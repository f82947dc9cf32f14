// What can only be said of options of several groups.
import { isIP } from "node:net";
import type { Options } from "./mod.ts";
import { problem } from "./problems.ts";
import { familyOfRange } from "./service_ranges.ts";

/** Everything wrong with options that are fine one by one. */
export function validateTogether(options: Options): string[] {
  const { generic, misc, kubelith, secureServing } = options;
  const problems: string[] = [];
  const range = misc["service-cluster-ip-range"].split(",")[0].trim();
  const address = generic["advertise-address"];
  if (misc["endpoint-reconciler-type"] !== "none" && familyOfRange(range) !== isIP(address)) {
    const why = `its IP family must be that of --advertise-address=${address}`;
    problems.push(problem("service-cluster-ip-range", range, why));
  }
  if (kubelith["insecure-port"] === secureServing["secure-port"]) {
    problems.push(problem("insecure-port", kubelith["insecure-port"], "is --secure-port, too"));
  }
  return problems;
}
