// ServiceAccount: a pod runs as an account that exists, with its token in every container and its pull secrets.
import type { Container, EphemeralContainer, PodSpec, Volume } from "../../facts/generated/types.ts";
import { generateName } from "../../machinery/names.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isOf, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import type { ObjectLookup } from "./lookup.ts";
import { secretNames } from "./secrets.ts";

export const MIRROR_POD = "kubernetes.io/config.mirror";

const DEFAULT_NAME = "default";
const ENFORCE_SECRETS = "kubernetes.io/enforce-mountable-secrets";
const VOLUME_PREFIX = "kube-api-access-";
const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
/** An odd number of seconds by which the token's issuer knows it: such a token lives longer than it says. */
const TOKEN_SECONDS = 3607;

/** The token, the certificate authority and the namespace. */
function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
      defaultMode: 0o644,
    },
  };
}

/** Into every container that has nothing else there. */
function mountToken(spec: PodSpec): void {
  const existing = spec.volumes?.find((volume) => volume.name?.startsWith(VOLUME_PREFIX));
  const name = existing?.name ?? generateName(VOLUME_PREFIX);
  let needed = false;
  for (const container of [...spec.initContainers ?? [], ...spec.containers ?? []]) {
    if (container.volumeMounts?.some((mount) => mount.mountPath === MOUNT_PATH)) continue;
    (container.volumeMounts ??= []).push({ name, readOnly: true, mountPath: MOUNT_PATH });
    needed = true;
  }
  if (needed && existing === undefined) (spec.volumes ??= []).push(tokenVolume(name));
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && /^(1|t|T|TRUE|true|True)$/.test(text);
}

function wrongVariable(container: Container | EphemeralContainer, kind: string, allowed: Set<string>, account: string) {
  const tell = (what: string, secret: string) =>
    `${kind} ${container.name} with ${what} referencing secret.secretName="${secret}" is not allowed because service account ${account} does not reference that secret`;
  for (const { name, valueFrom } of container.env ?? []) {
    const secret = valueFrom?.secretKeyRef;
    if (secret !== undefined && !allowed.has(secret.name ?? "")) return tell(`envVar ${name}`, secret.name ?? "");
  }
  for (const { secretRef } of container.envFrom ?? []) {
    if (secretRef !== undefined && !allowed.has(secretRef.name ?? "")) return tell("envFrom", secretRef.name ?? "");
  }
}

/** Why a pod may not name the secrets it does under an account that enforces its own; undefined when it may. */
function wrongSecret(account: KubeObject, spec: PodSpec): string | undefined {
  const name = account.metadata.name!, allowed = mountableSecrets(account);
  for (const { secret } of spec.volumes ?? []) {
    if (secret !== undefined && !allowed.has(secret.secretName ?? "")) {
      return `volume with secret.secretName="${
        secret.secretName ?? ""
      }" is not allowed because service account ${name} does not reference that secret`;
    }
  }
  for (const [kind, containers] of [["init container", spec.initContainers], ["container", spec.containers]] as const) {
    for (const container of containers ?? []) {
      const why = wrongVariable(container, kind, allowed, name);
      if (why !== undefined) return why;
    }
  }
  const pull = new Set((account.imagePullSecrets ?? []).map((secret: { name?: string }) => secret.name));
  const wrong = (spec.imagePullSecrets ?? []).findIndex((secret) => !pull.has(secret.name));
  if (wrong < 0) return undefined;
  return `imagePullSecrets[${wrong}].name="${
    spec.imagePullSecrets![wrong].name ?? ""
  }" is not allowed because service account ${name} does not reference that imagePullSecret`;
}

function mountableSecrets(account: KubeObject): Set<string> {
  return new Set((account.secrets ?? []).map((secret: { name?: string }) => secret.name ?? ""));
}

function checkMirrorPod(attributes: AdmissionAttributes): void {
  const spec: PodSpec = attributes.object!.spec;
  if (spec.serviceAccountName) throw refusal(attributes, "a mirror pod may not reference service accounts");
  if (secretNames(spec).size > 0) throw refusal(attributes, "a mirror pod may not reference secrets");
  const projections = (spec.volumes ?? []).flatMap((volume) => volume.projected?.sources ?? []);
  if (projections.some((source) => source.serviceAccountToken !== undefined)) {
    throw refusal(attributes, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}

/** Attempts to find the account that a controller is about to make, and the time between them. */
const DEFAULT_ATTEMPTS = 10;

async function accountOf(lookup: ObjectLookup, attributes: AdmissionAttributes): Promise<KubeObject> {
  const { namespace, object } = attributes, name = object!.spec.serviceAccountName;
  if (!name) throw refusal(attributes, `no service account specified for pod ${namespace}/${object!.metadata.name}`);
  const attempts = name === DEFAULT_NAME ? DEFAULT_ATTEMPTS : 1;
  const interval = 100 + Math.random() * 100;
  for (let i = 0; i < attempts && !attributes.signal.aborted; i++) {
    if (i > 0) await new Promise((resolve) => setTimeout(resolve, interval));
    const found = await lookup.get("", "serviceaccounts", name, namespace);
    if (found !== undefined) return found;
  }
  throw refusal(
    attributes,
    `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`,
  );
}

async function validateNew(lookup: ObjectLookup, attributes: AdmissionAttributes): Promise<void> {
  const { metadata, spec } = attributes.object!;
  if (metadata.annotations?.[MIRROR_POD] !== undefined) return checkMirrorPod(attributes);
  const account = await accountOf(lookup, attributes);
  if (!isTrue(account.metadata.annotations?.[ENFORCE_SECRETS])) return;
  const why = wrongSecret(account, spec);
  if (why !== undefined) throw refusal(attributes, why);
}

async function validateEphemeral(lookup: ObjectLookup, attributes: AdmissionAttributes): Promise<void> {
  const account = await accountOf(lookup, attributes);
  if (!isTrue(account.metadata.annotations?.[ENFORCE_SECRETS])) return;
  const allowed = mountableSecrets(account);
  for (const container of attributes.object!.spec.ephemeralContainers ?? []) {
    const why = wrongVariable(container, "ephemeral container", allowed, account.metadata.name!);
    if (why !== undefined) throw refusal(attributes, why);
  }
}

export function serviceAccount({ lookup }: PluginContext): AdmissionPlugin {
  async function admit(attributes: AdmissionAttributes): Promise<void> {
    const { metadata, spec } = attributes.object!;
    // The kubelet wants to find a mirror pod as it made it.
    if (metadata.annotations?.[MIRROR_POD] !== undefined) return checkMirrorPod(attributes);
    spec.serviceAccountName ||= DEFAULT_NAME;
    spec.serviceAccount = spec.serviceAccountName;
    const account = await accountOf(lookup, attributes);
    if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(spec);
    const pull: { name?: string }[] = account.imagePullSecrets ?? [];
    if ((spec.imagePullSecrets ?? []).length === 0 && pull.length > 0) {
      spec.imagePullSecrets = pull.map(({ name }) => ({ name }));
    }
    await validateNew(lookup, attributes);
  }

  return {
    name: "ServiceAccount",
    handles: on("CREATE", "UPDATE"),
    admit(attributes) {
      if (looksAt(attributes) && attributes.operation === "CREATE") return admit(attributes);
    },
    validate(attributes) {
      if (!looksAt(attributes)) return;
      if (attributes.operation === "CREATE") return validateNew(lookup, attributes);
      if (attributes.subresource === "ephemeralcontainers") return validateEphemeral(lookup, attributes);
    },
  };
}

function looksAt({ resource, subresource, object }: AdmissionAttributes): boolean {
  if (!isOf(resource, { group: "", resource: "pods" }) || object === undefined) return false;
  return subresource === "" || subresource === "ephemeralcontainers";
}
