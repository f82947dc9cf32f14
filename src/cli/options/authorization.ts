// Authorization flags: who may do what.
import { flag } from "../flags/kinds.ts";
import { type OptionContext, optionGroup, type OptionsOf } from "../flags/group.ts";
import { parsePolicies } from "../../authorization/abac.ts";
import type { AuthorizationMode, WebhookAuthorizationConfig } from "../../server/config.ts";
import { fileTrouble, kubeconfigTrouble, oneOf, problem } from "./problems.ts";

const flags = {
  "authorization-config": flag.string(
    "File with an AuthorizationConfiguration: who decides, in place of --authorization-mode.",
  ),
  "authorization-mode": flag.strings(
    "Who decides, asked in this order: AlwaysAllow, AlwaysDeny, ABAC, Webhook, Node, RBAC. AlwaysAllow unless given.",
  ),
  "authorization-policy-file": flag.string("Policies of ABAC, one JSON object a line."),
  "authorization-webhook-cache-authorized-ttl": flag.duration("How long 'allowed' of the webhook is remembered."),
  "authorization-webhook-cache-unauthorized-ttl": flag.duration("How long any other answer of it is remembered."),
  "authorization-webhook-config-file": flag.string("Kubeconfig of the webhook."),
  "authorization-webhook-version": flag.string("Version of the SubjectAccessReview it is sent: v1 or v1beta1."),
};

export type AuthorizationOptions = OptionsOf<typeof flags>;

const MODES: readonly string[] = ["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"];

export const authorization = optionGroup({
  name: "Authorization",
  flags,
  async validate(o, context) {
    return o["authorization-config"] === "" ? await validateModes(o, context) : await validateFile(o, context);
  },
  applyTo(o, config, { files }) {
    const policies = o["authorization-policy-file"], webhook = o["authorization-webhook-config-file"];
    const configuration = o["authorization-config"];
    config.generic.authorization = {
      modes: o["authorization-mode"] as AuthorizationMode[],
      policies: policies === "" ? undefined : files.read(policies),
      webhook: webhook === "" ? undefined : {
        kubeconfig: webhook,
        version: o["authorization-webhook-version"] as WebhookAuthorizationConfig["version"],
        authorizedTtl: o["authorization-webhook-cache-authorized-ttl"],
        unauthorizedTtl: o["authorization-webhook-cache-unauthorized-ttl"],
      },
      configuration: configuration === "" ? undefined : { file: configuration, text: files.read(configuration) },
    };
  },
});

async function validateModes(o: AuthorizationOptions, { files }: OptionContext): Promise<string[]> {
  const modes = o["authorization-mode"], policies = o["authorization-policy-file"];
  const webhook = o["authorization-webhook-config-file"];
  const problems = modes.filter((mode) => !MODES.includes(mode))
    .map((mode) => problem("authorization-mode", mode, "is not a valid mode"));
  const goesWith = (mode: string, name: string, file: string) => {
    if (modes.includes(mode) && file === "") problems.push(`--authorization-mode=${mode} needs --${name}`);
    if (!modes.includes(mode) && file !== "") problems.push(problem(name, file, `needs --authorization-mode=${mode}`));
  };
  goesWith("ABAC", "authorization-policy-file", policies);
  goesWith("Webhook", "authorization-webhook-config-file", webhook);
  if (new Set(modes).size < modes.length) {
    problems.push(problem("authorization-mode", modes, "has mode specified more than once"));
  }
  if (policies !== "") {
    try {
      parsePolicies(files.read(policies));
    } catch (e) {
      problems.push(fileTrouble("authorization-policy-file", policies, e));
    }
  }
  return [
    ...problems,
    ...await kubeconfigTrouble("authorization-webhook-config-file", webhook, files),
    ...oneOf("authorization-webhook-version", o["authorization-webhook-version"], ["v1", "v1beta1"]),
  ];
}

/** The file says it all: no other flag may. */
async function validateFile(o: AuthorizationOptions, { files, given }: OptionContext): Promise<string[]> {
  const file = o["authorization-config"];
  const others = Object.keys(flags).filter((name) => name !== "authorization-config" && given.has(name));
  const problems = others.map((name) => problem("authorization-config", file, `excludes --${name}`));
  try {
    const { parseAuthorizationConfiguration } = await import("../../authorization/configuration.ts");
    const entries = await parseAuthorizationConfiguration(files.read(file));
    for (const { webhook } of entries) {
      problems.push(...await kubeconfigTrouble("authorization-config", webhook?.kubeConfigFile ?? "", files));
    }
  } catch (e) {
    problems.push(fileTrouble("authorization-config", file, e));
  }
  return problems;
}
