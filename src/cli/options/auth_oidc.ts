// Flags about one OpenID Connect issuer; several, and more about each, go into --authentication-config.
import { X509Certificate } from "node:crypto";
import { ALGORITHMS, type JwtAuthenticatorConfig } from "../../authentication/oidc/interface.ts";
import type { OptionContext, OptionsOf } from "../flags/group.ts";
import { flag } from "../flags/kinds.ts";
import { fileTrouble, problem } from "./problems.ts";

export const oidcFlags = {
  "oidc-ca-file": flag.string("Authorities of the issuer's certificate, PEM; the system's unless given."),
  "oidc-client-id": flag.string("The client that tokens have to be for."),
  "oidc-groups-claim": flag.string("Claim that names the user's groups."),
  "oidc-groups-prefix": flag.string("Put in front of groups."),
  "oidc-issuer-url": flag.string("URL of an OpenID Connect issuer whose ID tokens are taken."),
  "oidc-required-claim": flag.pairs("key=value of a claim that has to be there. May be repeated."),
  "oidc-signing-algs": flag.strings("Algorithms that tokens may be signed with."),
  "oidc-username-claim": flag.string("Claim that names the user."),
  "oidc-username-prefix": flag.string(
    "Put in front of users; '-' is nothing. The issuer and # unless given, for claims other than email.",
  ),
};

export type OidcOptions = OptionsOf<typeof oidcFlags>;

export function validateOidc(o: OidcOptions, { files, given }: OptionContext): string[] {
  const used = Object.keys(oidcFlags).filter((name) => given.has(name));
  if (used.length === 0) return [];
  const problems: string[] = [];
  if (o["oidc-issuer-url"] === "" || o["oidc-client-id"] === "") {
    problems.push("--oidc-issuer-url and --oidc-client-id must be specified together when any oidc-* flags are set");
  }
  const issuer = o["oidc-issuer-url"];
  if (issuer !== "" && (!URL.canParse(issuer) || new URL(issuer).protocol !== "https:")) {
    problems.push(problem("oidc-issuer-url", issuer, "URL scheme must be https"));
  }
  for (const algorithm of o["oidc-signing-algs"]) {
    if (!ALGORITHMS.includes(algorithm)) {
      problems.push(problem("oidc-signing-algs", algorithm, "unsupported signing alg"));
    }
  }
  const ca = o["oidc-ca-file"];
  if (ca !== "") {
    try {
      new X509Certificate(files.read(ca));
    } catch (e) {
      problems.push(fileTrouble("oidc-ca-file", ca, e));
    }
  }
  return problems;
}

export function oidcConfig(o: OidcOptions, { files }: OptionContext): JwtAuthenticatorConfig[] {
  const url = o["oidc-issuer-url"], claim = o["oidc-username-claim"], prefix = o["oidc-username-prefix"];
  if (url === "") return [];
  const groups = o["oidc-groups-claim"], ca = o["oidc-ca-file"];
  return [{
    issuer: {
      url,
      discoveryUrl: "",
      certificateAuthority: ca === "" ? "" : files.read(ca),
      audiences: [o["oidc-client-id"]],
    },
    algorithms: o["oidc-signing-algs"],
    requiredClaims: o["oidc-required-claim"],
    claimRules: [],
    username: { claim, prefix: prefixOf(prefix, claim, url), expression: "" },
    groups: groups === "" ? undefined : { claim: groups, prefix: o["oidc-groups-prefix"], expression: "" },
    extra: [],
    userRules: [],
  }];
}

/** Names of different issuers must not meet; addresses are everybody's. */
function prefixOf(given: string, claim: string, issuer: string): string {
  if (given === "-") return "";
  return given === "" && claim !== "email" ? `${issuer}#` : given;
}
