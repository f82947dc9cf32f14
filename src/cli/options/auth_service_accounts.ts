// Flags about the tokens of service accounts.
import { VerificationKeys } from "../../authentication/service_accounts/keys.ts";
import type { ServiceAccountAuthenticationConfig } from "../../server/config.ts";
import type { OptionContext, OptionsOf } from "../flags/group.ts";
import { flag } from "../flags/kinds.ts";
import { fileTrouble, problem } from "./problems.ts";

export const serviceAccountFlags = {
  "service-account-extend-token-expiration": flag.bool(
    "Let injected tokens live a year, so that old clients go on working.",
  ),
  "service-account-issuer": flag.stringArray(
    "Issuer of service account tokens. May be repeated: the first signs, all are accepted.",
  ),
  "service-account-jwks-uri": flag.string("Where others find the keys, in the discovery document of the issuer."),
  "service-account-key-file": flag.stringArray(
    "Keys that verify service account tokens, PEM, public or private. May be repeated.",
  ),
  "service-account-lookup": flag.bool("Ask whether the account of a token still exists."),
  "service-account-max-token-expiration": flag.duration("The longest life of a token."),
};

export type ServiceAccountOptions = OptionsOf<typeof serviceAccountFlags>;

/** Bounds of --service-account-max-token-expiration; milliseconds. */
const HOUR = 3_600_000, LONGEST_TOKEN = 2 ** 32 * 1000;

export function validateServiceAccounts(o: ServiceAccountOptions, { files }: OptionContext): string[] {
  const problems: string[] = [];
  const issuers = o["service-account-issuer"];
  if (issuers.length === 0) problems.push("--service-account-issuer is a required flag");
  issuers.forEach((issuer, i) => {
    if (issuer === "") problems.push(problem("service-account-issuer", issuer, "should not be an empty string"));
    else if (issuer.includes(":") && !URL.canParse(issuer)) {
      problems.push(problem("service-account-issuer", issuer, "contained a ':' but was not a valid URL"));
    } else if (issuers.indexOf(issuer) < i) {
      problems.push(problem("service-account-issuer", issuer, "is already specified"));
    }
  });
  if (o["service-account-key-file"].length === 0) problems.push("--service-account-key-file must be set");
  for (const file of o["service-account-key-file"]) {
    try {
      new VerificationKeys([{ pem: files.read(file) }]);
    } catch (e) {
      problems.push(fileTrouble("service-account-key-file", file, e));
    }
  }
  const jwks = o["service-account-jwks-uri"];
  if (jwks !== "" && (!URL.canParse(jwks) || new URL(jwks).protocol !== "https:")) {
    problems.push(problem("service-account-jwks-uri", jwks, "must be a URL with the https scheme"));
  }
  return [...problems, ...validateLifetime(o)];
}

function validateLifetime(o: ServiceAccountOptions): string[] {
  const longest = o["service-account-max-token-expiration"];
  if (longest === 0 || (longest >= HOUR && longest <= LONGEST_TOKEN)) return [];
  const why = "must be between 1 hour and 2^32 seconds";
  return [problem("service-account-max-token-expiration", `${longest / 1000}s`, why)];
}

export function serviceAccountConfig(
  o: ServiceAccountOptions,
  { files }: OptionContext,
): ServiceAccountAuthenticationConfig {
  return {
    issuers: o["service-account-issuer"],
    keyFiles: o["service-account-key-file"].map((file) => ({ file, pem: files.read(file) })),
    lookup: o["service-account-lookup"],
    jwksUri: o["service-account-jwks-uri"],
  };
}
