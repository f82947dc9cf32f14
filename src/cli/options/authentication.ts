// Authentication flags: who is who.
import { flag } from "../flags/kinds.ts";
import { type OptionContext, optionGroup, type OptionsOf } from "../flags/group.ts";
import type { CABundle, WebhookAuthenticationConfig } from "../../server/config.ts";
import { logWarning } from "../../logging/mod.ts";
import { oidcConfig, oidcFlags, validateOidc } from "./auth_oidc.ts";
import {
  requestHeaderConfig,
  requestHeaderFlags,
  validateBundle,
  validateRequestHeader,
} from "./auth_request_header.ts";
import { serviceAccountConfig, serviceAccountFlags, validateServiceAccounts } from "./auth_service_accounts.ts";
import { fileTrouble, kubeconfigTrouble, oneOf, problem } from "./problems.ts";
import { parseTokenFile } from "./token_file.ts";

const flags = {
  "anonymous-auth": flag.bool("Take requests that say nothing about who they are for those of system:anonymous."),
  "api-audiences": flag.strings("Audiences that tokens may be for; the service account issuers unless given."),
  "authentication-config": flag.string("File with an AuthenticationConfiguration: issuers, and who may be anonymous."),
  "authentication-token-webhook-cache-ttl": flag.duration("How long the webhook's answers are remembered."),
  "authentication-token-webhook-config-file": flag.string("Kubeconfig of a webhook that knows whose tokens are."),
  "authentication-token-webhook-version": flag.string("Version of the TokenReview it is sent: v1 or v1beta1."),
  "client-ca-file": flag.string("Authorities whose client certificates say who a client is, PEM."),
  "enable-bootstrap-token-auth": flag.bool("Take bootstrap tokens, which are secrets in kube-system."),
  ...oidcFlags,
  ...requestHeaderFlags,
  ...serviceAccountFlags,
  "token-auth-file": flag.string('Tokens as CSV: token,user,uid,"group1,group2".'),
};

export type AuthenticationOptions = OptionsOf<typeof flags>;

export const authentication = optionGroup({
  name: "Authentication",
  flags,
  async validate(o, context) {
    const clientCA = o["client-ca-file"], problems = validateBundle("client-ca-file", clientCA, context);
    return [
      ...validateServiceAccounts(o, context),
      ...validateOidc(o, context),
      ...await validateConfiguration(o, context),
      ...problems,
      ...validateTokenFile(o["token-auth-file"], context),
      ...validateRequestHeader(headersOf(o), problems.length > 0 ? "" : clientCA, context),
      ...await kubeconfigTrouble(
        "authentication-token-webhook-config-file",
        o["authentication-token-webhook-config-file"],
        context.files,
      ),
      ...oneOf("authentication-token-webhook-version", o["authentication-token-webhook-version"], ["v1", "v1beta1"]),
    ];
  },
  applyTo(o, config, context) {
    const { files } = context, tokens = o["token-auth-file"], configuration = o["authentication-config"];
    const bundle = (file: string): CABundle | undefined => file === "" ? undefined : { file, pem: files.read(file) };
    config.generic.authentication = {
      anonymous: o["anonymous-auth"],
      audiences: o["api-audiences"].length > 0 ? o["api-audiences"] : o["service-account-issuer"],
      jwt: oidcConfig(o, context),
      configuration: configuration === "" ? undefined : { file: configuration, text: files.read(configuration) },
      bootstrapTokens: o["enable-bootstrap-token-auth"],
      clientCA: bundle(o["client-ca-file"]),
      requestHeader: requestHeaderConfig(o, bundle(o["requestheader-client-ca-file"])),
      serviceAccounts: serviceAccountConfig(o, context),
      tokenFile: tokens === "" ? undefined : { file: tokens, rows: readTokens(tokens, files.read(tokens)) },
      webhook: webhookOf(o),
    };
  },
});

/** Issuers come from the file or from the flags. */
async function validateConfiguration(o: AuthenticationOptions, { files, given }: OptionContext): Promise<string[]> {
  const file = o["authentication-config"];
  if (file === "") return [];
  const problems = Object.keys(oidcFlags).filter((name) => given.has(name))
    .map((name) => problem("authentication-config", file, `excludes --${name}`));
  try {
    const { parseAuthenticationConfiguration } = await import("../../authentication/oidc/configuration.ts");
    const { anonymous } = await parseAuthenticationConfiguration(files.read(file), o["service-account-issuer"]);
    if (anonymous && given.has("anonymous-auth")) {
      problems.push(problem("authentication-config", file, "its field anonymous excludes --anonymous-auth"));
    }
  } catch (e) {
    problems.push(fileTrouble("authentication-config", file, e));
  }
  return problems;
}

/** The options of requestheader-* alone. */
function headersOf(o: AuthenticationOptions) {
  const names = Object.keys(requestHeaderFlags) as (keyof typeof requestHeaderFlags)[];
  return Object.fromEntries(names.map((name) => [name, o[name]])) as OptionsOf<typeof requestHeaderFlags>;
}

function webhookOf(o: AuthenticationOptions): WebhookAuthenticationConfig | undefined {
  const kubeconfig = o["authentication-token-webhook-config-file"];
  if (kubeconfig === "") return undefined;
  const version = o["authentication-token-webhook-version"] as WebhookAuthenticationConfig["version"];
  return { kubeconfig, version, ttl: o["authentication-token-webhook-cache-ttl"] };
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
