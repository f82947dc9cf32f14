// The environment that all of Kubernetes' expressions share (the libraries that are on since 1.34).
import { type Environment, environmentOf } from "./environment.ts";
import { AUTHORIZERS } from "./libraries/authorizer.ts";
import { NAMED_FORMATS } from "./libraries/formats.ts";
import { LISTS } from "./libraries/lists.ts";
import { NET } from "./libraries/net.ts";
import { OPTIONALS } from "./libraries/optionals.ts";
import { QUANTITIES } from "./libraries/quantity.ts";
import { REGEX } from "./libraries/regex.ts";
import { SEMVERS } from "./libraries/semver.ts";
import { SETS } from "./libraries/sets.ts";
import { STANDARD } from "./libraries/standard.ts";
import { STRINGS } from "./libraries/strings.ts";
import { URLS } from "./libraries/urls.ts";

let base: Environment | undefined;

/** Every library but that for patches. */
export function baseEnvironment(): Environment {
  return base ??= environmentOf(
    STANDARD,
    OPTIONALS,
    STRINGS,
    LISTS,
    SETS,
    REGEX,
    URLS,
    NET,
    QUANTITIES,
    SEMVERS,
    NAMED_FORMATS,
    AUTHORIZERS,
  );
}
