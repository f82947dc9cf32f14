// WebhookAdmissionConfiguration: a kubeconfig whose users say who the server is to webhooks.
import { isAbsolute } from "node:path";
import { type Credentials, readKubeconfigUsers } from "../../client/kubeconfig.ts";
import type { Json } from "../../machinery/types.ts";
import { readConfiguration } from "../configuration.ts";

/** By the host and port of a webhook. */
export type CredentialsOf = (host: string, port: number) => Credentials;

const NOBODY: Credentials = {};

/** `a.b.svc:443`, then `*.b.svc:443`, `*.svc:443`; the usual port may be left out. */
function* namesOf(host: string, port: number): Generator<string> {
  for (const target of port === 443 ? [`${host}:443`, host] : [`${host}:${port}`]) {
    yield target;
    const steps = target.split(".");
    for (let i = 1; i < steps.length; i++) yield `*.${steps.slice(i).join(".")}`;
  }
  yield "*";
}

/** Who the server is to each webhook. Throws an Error that says what is wrong with the configuration. */
export async function webhookCredentials(configuration: Json | undefined): Promise<CredentialsOf> {
  const { kubeConfigFile: file = "" } = readConfiguration<{ kubeConfigFile?: string }>(configuration, {
    kinds: {
      "apiserver.config.k8s.io/v1": "WebhookAdmissionConfiguration",
      "apiserver.config.k8s.io/v1alpha1": "WebhookAdmission",
    },
    fields: ["kubeConfigFile"],
  }) ?? {};
  if (file === "") return () => NOBODY;
  if (!isAbsolute(file)) throw new Error(`kubeConfigFile must be an absolute path, but got "${file}"`);
  const { users, current = "" } = await readKubeconfigUsers(file, (path) => Deno.readTextFileSync(path));
  return (host, port) => {
    for (const name of namesOf(host, port)) {
      const user = users.get(name);
      if (user !== undefined) return user;
    }
    return users.get(current) ?? NOBODY;
  };
}
