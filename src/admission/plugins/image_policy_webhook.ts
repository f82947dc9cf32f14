// ImagePolicyWebhook: a webhook decides about the images of pods (imagepolicy.k8s.io/v1alpha1 ImageReview).
import type { Container, PodSpec } from "../../facts/generated/types.ts";
import { readKubeconfig } from "../../client/kubeconfig.ts";
import { webhook } from "../../client/webhook.ts";
import { asError } from "../../machinery/aggregate_error.ts";
import { ExpiringMap } from "../../machinery/expiring_map.ts";
import type { Json } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isOf, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

const AUDIT_PREFIX = "imagepolicywebhook.image-policy.k8s.io/";
const FAILED_OPEN = "alpha.image-policy.k8s.io/failed-open";
const REVIEW = { kind: "ImageReview", apiVersion: "imagepolicy.k8s.io/v1alpha1" };
const REMEMBERED = 1024;
const TIMEOUT_MS = 30_000;

interface Settings {
  kubeConfigFile: string;
  /** Milliseconds that answers are remembered. */
  allowTTL: number;
  denyTTL: number;
  /** Milliseconds before the webhook is tried again. */
  retryBackoff: number;
  /** What becomes of a pod when the webhook cannot be asked. */
  defaultAllow: boolean;
}

/** What is given in a unit of so many milliseconds: -1 is nothing, 0 the default. Throws an Error. */
function duration(value: Json | undefined, { unit, min, max, fallback }: Record<string, number>): number {
  if (value === undefined || value === 0) return fallback;
  if (value === -1) return 0;
  const given = typeof value === "number" ? value * unit : NaN;
  if (given >= min && given <= max) return given;
  throw new Error(`valid value is between ${min}ms and ${max}ms, got ${JSON.stringify(value)}`);
}

const SECOND = 1000, MINUTE = 60 * SECOND;
const TTL = { unit: SECOND, min: SECOND, max: 30 * MINUTE };

function settingsOf(configuration: Json | undefined): Settings {
  const given = (configuration as { imagePolicy?: Record<string, Json> } | undefined)?.imagePolicy;
  if (given === undefined) throw new Error("no config specified");
  const { kubeConfigFile, defaultAllow } = given;
  if (typeof kubeConfigFile !== "string") throw new Error("imagePolicy.kubeConfigFile is missing");
  return {
    kubeConfigFile,
    allowTTL: duration(given.allowTTL, { ...TTL, fallback: 5 * MINUTE }),
    denyTTL: duration(given.denyTTL, { ...TTL, fallback: 30 * SECOND }),
    retryBackoff: duration(given.retryBackoff, { unit: 1, min: 1, max: 5 * MINUTE, fallback: 500 }),
    defaultAllow: defaultAllow === true,
  };
}

interface ReviewStatus {
  allowed?: boolean;
  reason?: string;
  auditAnnotations?: Record<string, string>;
}

function specOf({ object, subresource, namespace }: AdmissionAttributes) {
  const { containers, initContainers, ephemeralContainers }: PodSpec = object!.spec;
  const looked: Pick<Container, "image">[] = subresource === ""
    ? [...containers ?? [], ...initContainers ?? []]
    : ephemeralContainers ?? [];
  const annotations = Object.entries(object!.metadata.annotations ?? {}).filter(([key]) =>
    key.includes(".image-policy.k8s.io/")
  );
  return {
    containers: looked.map(({ image }) => ({ image })),
    ...annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) },
    namespace,
  };
}

export async function imagePolicyWebhook({ configuration }: PluginContext): Promise<AdmissionPlugin> {
  const settings = settingsOf(configuration);
  const client = await readKubeconfig(settings.kubeConfigFile, (file) => Deno.readTextFileSync(file));
  const call = webhook(client, { timeout: TIMEOUT_MS, backoff: settings.retryBackoff });
  const remembered = new ExpiringMap<ReviewStatus>(REMEMBERED);

  async function review(spec: ReturnType<typeof specOf>): Promise<ReviewStatus> {
    const key = JSON.stringify(spec), known = remembered.get(key);
    if (known !== undefined) return known;
    const { status = {} } = await call({ ...REVIEW, spec, status: { allowed: false } }) as { status?: ReviewStatus };
    remembered.set(key, status, status.allowed === true ? settings.allowTTL : settings.denyTTL);
    return status;
  }

  async function check(attributes: AdmissionAttributes): Promise<void> {
    let status: ReviewStatus;
    try {
      status = await review(specOf(attributes));
    } catch (e) {
      if (!settings.defaultAllow) throw refusal(attributes, asError(e).message);
      attributes.addAuditAnnotation(`${AUDIT_PREFIX}failed-open`, "true");
      (attributes.object!.metadata.annotations ??= {})[FAILED_OPEN] = "true";
      return;
    }
    for (const [key, value] of Object.entries(status.auditAnnotations ?? {})) {
      attributes.addAuditAnnotation(AUDIT_PREFIX + key, value);
    }
    if (status.allowed === true) return;
    const why = status.reason
      ? `image policy webhook backend denied one or more images: ${status.reason}`
      : "one or more images rejected by webhook backend";
    throw refusal(attributes, why);
  }

  return {
    name: "ImagePolicyWebhook",
    handles: on("CREATE", "UPDATE"),
    validate(attributes) {
      const { resource, subresource } = attributes;
      if (!isOf(resource, { group: "", resource: "pods" })) return;
      if (subresource === "" || subresource === "ephemeralcontainers") return check(attributes);
    },
  };
}
