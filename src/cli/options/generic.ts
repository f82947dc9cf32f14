// Generic flags: addresses, limits, the stop.
import { flag } from "../flags/kinds.ts";
import { optionGroup } from "../flags/group.ts";
import { defaultFeatureGates, validateFeatureGates } from "./feature_gates.ts";
import { notNegative, problem } from "./problems.ts";
import { compileRe2, loadRe2 } from "../../machinery/re2.ts";

const flags = {
  "advertise-address": flag.ip(
    "Address at which the members of the cluster reach this server; --bind-address unless given, or this machine's first address when that is any.",
  ),
  "cors-allowed-origins": flag.strings(
    "Origins that browsers may call from, as regular expressions that pin both ends of the host: '^https://example\\.com(:|$)'.",
  ),
  "external-hostname": flag.string("Host name in the links that this server writes about itself."),
  "feature-gates": flag.multimap("Feature gates as name=true|false pairs, 'kube:' before a name is allowed."),
  "livez-grace-period": flag.duration("How long /livez takes unfinished post-start hooks for done."),
  "max-mutating-requests-inflight": flag.int("How many requests that write may be under way; 0 is no limit."),
  "max-requests-inflight": flag.int("How many requests that read may be under way; 0 is no limit."),
  "min-request-timeout": flag.int("Seconds that a watch without a timeout of its own lasts at least."),
  "request-timeout": flag.duration("How long a request may take, watches and the like aside."),
  "shutdown-delay-duration": flag.duration(
    "How long requests are served as before when the server was told to stop; /readyz fails at once.",
  ),
  "shutdown-watch-termination-grace-period": flag.duration("How long watches get to end when the server stops."),
  "storage-initialization-timeout": flag.duration(
    "How long /readyz waits for the database to answer after the start.",
  ),
  "strict-transport-security-directives": flag.strings(
    "Directives of the Strict-Transport-Security header: max-age=N, includeSubDomains, preload.",
  ),
};

const HSTS_DIRECTIVE = /^(?:max-age=\d+|includeSubDomains|preload)$/;

export const generic = optionGroup({
  name: "Generic",
  flags,
  async validate(o) {
    return [
      ...notNegative(o, [
        "livez-grace-period",
        "max-requests-inflight",
        "max-mutating-requests-inflight",
        "request-timeout",
        "min-request-timeout",
        "shutdown-delay-duration",
        "shutdown-watch-termination-grace-period",
        "storage-initialization-timeout",
      ]),
      ...o["strict-transport-security-directives"].filter((directive) => !HSTS_DIRECTIVE.test(directive)).map((value) =>
        problem(
          "strict-transport-security-directives",
          value,
          "allowed are max-age=expireTime, includeSubDomains, preload (RFC 6797, 6.1)",
        )
      ),
      ...await validateOrigins(o["cors-allowed-origins"]),
      ...validateFeatureGates(o["feature-gates"]),
    ];
  },
  applyTo(o, config) {
    const { generic } = config;
    generic.publicAddress = o["advertise-address"];
    generic.externalAddress = o["external-hostname"];
    generic.corsAllowedOrigins = o["cors-allowed-origins"];
    generic.hstsDirectives = o["strict-transport-security-directives"];
    generic.livezGracePeriod = o["livez-grace-period"];
    generic.features = defaultFeatureGates();
    generic.storage.initializationTimeout = o["storage-initialization-timeout"];
    generic.limits = {
      ...generic.limits,
      maxRequestsInFlight: o["max-requests-inflight"],
      maxMutatingRequestsInFlight: o["max-mutating-requests-inflight"],
      requestTimeout: o["request-timeout"],
      minRequestTimeout: o["min-request-timeout"] * 1000,
    };
    generic.shutdown = {
      ...generic.shutdown,
      delay: o["shutdown-delay-duration"],
      watchTerminationGracePeriod: o["shutdown-watch-termination-grace-period"],
    };
  },
});

/** Regular expressions that leave one end of the host open would let strangers in. */
async function validateOrigins(origins: readonly string[]): Promise<string[]> {
  if (origins.length === 0) return [];
  await loadRe2();
  return origins.flatMap((origin) => {
    const wrong = (why: string) => [problem("cors-allowed-origins", origin, why)];
    if (origin === "") return wrong("is empty");
    try {
      compileRe2(origin);
    } catch (e) {
      return wrong(`is not a regular expression: ${(e as Error).message}`);
    }
    const pinned = /\^|\/\//.test(origin) && /[$:]/.test(origin);
    return pinned
      ? []
      : wrong("does not pin to start/end of host in the origin header: use '^' or '//', and '$' or ':'");
  });
}
