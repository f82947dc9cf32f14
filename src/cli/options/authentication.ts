// Authentication flags: who is who.
import { X509Certificate } from "node:crypto";
import { flag } from "../flags/kinds.ts";
import { type OptionContext, optionGroup, type OptionsOf } from "../flags/group.ts";
import type { CABundle } from "../../server/config.ts";
import { logWarning } from "../../logging/mod.ts";
import { VerificationKeys } from "../../authentication/service_accounts/keys.ts";
import { fileTrouble, problem } from "./problems.ts";
import { parseTokenFile } from "./token_file.ts";

const HEADER_FLAGS = [
  "requestheader-allowed-names",
  "requestheader-client-ca-file",
  "requestheader-extra-headers-prefix",
  "requestheader-group-headers",
  "requestheader-uid-headers",
  "requestheader-username-headers",
] as const;

const flags = {
  "anonymous-auth": flag.bool("Take requests that say nothing about who they are for those of system:anonymous."),
  "api-audiences": flag.strings("Audiences that tokens may be for; the service account issuers unless given."),
  "client-ca-file": flag.string("Authorities whose client certificates say who a client is, PEM."),
  "enable-bootstrap-token-auth": flag.bool("Take bootstrap tokens, which are secrets in kube-system."),
  "requestheader-allowed-names": flag.strings("Names of the proxies that may speak for others; any when empty."),
  "requestheader-client-ca-file": flag.string("Authorities of the proxies that may speak for others, PEM."),
  "requestheader-extra-headers-prefix": flag.strings(
    "What headers with extra data begin with; X-Remote-Extra- for instance.",
  ),
  "requestheader-group-headers": flag.strings("Headers that name groups; X-Remote-Group for instance."),
  "requestheader-uid-headers": flag.strings("Headers that hold the user's UID; X-Remote-Uid for instance."),
  "requestheader-username-headers": flag.strings("Headers that name the user; X-Remote-User for instance."),
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
  "token-auth-file": flag.string('Tokens as CSV: token,user,uid,"group1,group2".'),
};

/** Bounds of --service-account-max-token-expiration; milliseconds. */
const HOUR = 3_600_000, LONGEST_TOKEN = 2 ** 32 * 1000;

export type AuthenticationOptions = OptionsOf<typeof flags>;

export const authentication = optionGroup({
  name: "Authentication",
  flags,
  pending: ["enable-bootstrap-token-auth", ...HEADER_FLAGS],
  validate(o, context) {
    return [
      ...validateServiceAccounts(o, context),
      ...validateBundle("client-ca-file", o["client-ca-file"], context),
      ...validateBundle("requestheader-client-ca-file", o["requestheader-client-ca-file"], context),
      ...validateTokenFile(o["token-auth-file"], context),
      ...validateRequestHeader(o),
    ];
  },
  applyTo(o, config, { files }) {
    const bundle = (file: string): CABundle | undefined => file === "" ? undefined : { file, pem: files.read(file) };
    const proxies = bundle(o["requestheader-client-ca-file"]);
    const tokens = o["token-auth-file"];
    const { authentication } = config.generic;
    authentication.anonymous = o["anonymous-auth"];
    authentication.audiences = o["api-audiences"].length > 0 ? o["api-audiences"] : o["service-account-issuer"];
    authentication.bootstrapTokens = o["enable-bootstrap-token-auth"];
    authentication.clientCA = bundle(o["client-ca-file"]);
    authentication.requestHeader = proxies && {
      clientCA: proxies,
      allowedNames: o["requestheader-allowed-names"],
      usernameHeaders: o["requestheader-username-headers"],
      uidHeaders: o["requestheader-uid-headers"],
      groupHeaders: o["requestheader-group-headers"],
      extraHeadersPrefix: o["requestheader-extra-headers-prefix"],
    };
    authentication.serviceAccounts = {
      issuers: o["service-account-issuer"],
      keyFiles: o["service-account-key-file"].map((file) => ({ file, pem: files.read(file) })),
      lookup: o["service-account-lookup"],
      jwksUri: o["service-account-jwks-uri"],
    };
    authentication.tokenFile = tokens === ""
      ? undefined
      : { file: tokens, rows: readTokens(tokens, files.read(tokens)) };
  },
});

function validateServiceAccounts(o: AuthenticationOptions, { files }: OptionContext): string[] {
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

function validateLifetime(o: AuthenticationOptions): string[] {
  const longest = o["service-account-max-token-expiration"];
  if (longest === 0 || (longest >= HOUR && longest <= LONGEST_TOKEN)) return [];
  const why = "must be between 1 hour and 2^32 seconds";
  return [problem("service-account-max-token-expiration", `${longest / 1000}s`, why)];
}

function validateBundle(flag: string, file: string, { files }: OptionContext): string[] {
  if (file === "") return [];
  try {
    const certificates = files.read(file).match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
    if (certificates === null) return [problem(flag, file, "holds no PEM certificate")];
    for (const pem of certificates) new X509Certificate(pem);
    return [];
  } catch (e) {
    return [fileTrouble(flag, file, e)];
  }
}

function validateTokenFile(file: string, { files }: OptionContext): string[] {
  if (file === "") return [];
  try {
    parseTokenFile(files.read(file));
    return [];
  } catch (e) {
    return [fileTrouble("token-auth-file", file, e)];
  }
}

/** The rows, with a word in the log about those that do nothing. */
function readTokens(file: string, text: string) {
  const { rows, remarks } = parseTokenFile(text);
  for (const { record, remark } of remarks) logWarning(remark, { file, record });
  return rows;
}

function validateRequestHeader(o: AuthenticationOptions): string[] {
  return HEADER_FLAGS.flatMap((name) => {
    const value = o[name];
    if (typeof value === "string") return [];
    return value.filter((entry) => entry.trim() === "").map((entry) => problem(name, entry, "empty value"));
  });
}
