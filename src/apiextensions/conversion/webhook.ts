// The strategy Webhook: objects are converted by a server of the definition's author (ConversionReview of
// apiextensions.k8s.io/v1). What comes back must be the same objects: only labels and annotations of metadata may change.
import type { CustomResourceConversion } from "../../facts/generated/types.ts";
import type { ClientConfig } from "../../client/kubeconfig.ts";
import { type Webhook, webhook, WebhookError } from "../../client/webhook.ts";
import { clone } from "../../machinery/clone.ts";
import { unknownError } from "../../machinery/errors.ts";
import { aggregate, type FieldError } from "../../machinery/field_error.ts";
import { isObject, type Json, type JsonObject, type KubeObject } from "../../machinery/types.ts";
import { collect, validateAnnotations, validateLabels } from "../../machinery/validation/mod.ts";
import type { ResolveService } from "../../registry/services/resolve.ts";
import type { Converter } from "./mod.ts";

const TIMEOUT_MS = 30_000;
const DEFAULT_PORT = 443;
const REVIEW = "ConversionReview", GROUP = "apiextensions.k8s.io";
/** Those that this server speaks. */
const REVIEW_VERSIONS = ["v1", "v1beta1"];

/** What a webhook answered cannot be used; the message says why. */
class BadAnswer extends Error {}

export function webhookConverter(conversion: CustomResourceConversion, resolveService: ResolveService): Converter {
  const { clientConfig = {}, conversionReviewVersions } = conversion.webhook ?? {};
  const version = conversionReviewVersions?.find((v) => REVIEW_VERSIONS.includes(v));
  const send = webhook(clientConfigOf(clientConfig, resolveService), { timeout: TIMEOUT_MS, attempts: 1 });
  return {
    isAsync: true,
    async convert(objects, apiVersion) {
      if (version === undefined) throw unknownError("no supported conversion review versions");
      const first = objects[0];
      try {
        return accept(objects, apiVersion, await review(send, `${GROUP}/${version}`, { objects, apiVersion }));
      } catch (error) {
        if (error instanceof BadAnswer) {
          throw unknownError(`conversion webhook for ${kindText(first)} ${error.message}`);
        }
        if (!(error instanceof WebhookError)) throw error;
        throw unknownError(`conversion webhook for ${kindText(first)} failed: ${error.message}`);
      }
    },
  };
}

type WebhookClientConfig = NonNullable<NonNullable<CustomResourceConversion["webhook"]>["clientConfig"]>;

function clientConfigOf({ url, service, caBundle }: WebhookClientConfig, resolve: ResolveService): ClientConfig {
  const ca = caBundle === undefined ? "" : atob(caBundle).trim();
  const common = { ca: ca === "" ? undefined : ca, insecure: false };
  if (service === undefined) return { ...common, url: withTimeout(url ?? "") };
  const { namespace = "", name = "", path = "", port = DEFAULT_PORT } = service, host = `${name}.${namespace}.svc`;
  const target = withTimeout(`https://${host}:${port}/${path.replace(/^\//, "")}`);
  return {
    ...common,
    url: target,
    shownUrl: `https://${host}:${port}${target.pathname}${target.search}`,
    serverName: host,
    address: () => resolve({ namespace, name, port }),
  };
}

function withTimeout(text: string): URL {
  const url = new URL(text);
  url.searchParams.set("timeout", `${TIMEOUT_MS / 1000}s`);
  return url;
}

/** `example.com/v1, Kind=Widget` */
function kindText({ apiVersion, kind }: KubeObject): string {
  return `${apiVersion}, Kind=${kind}`;
}

async function review(
  send: Webhook,
  reviewVersion: string,
  { objects, apiVersion }: { objects: readonly KubeObject[]; apiVersion: string },
): Promise<Json[]> {
  const uid = crypto.randomUUID();
  const answer = await send({
    kind: REVIEW,
    apiVersion: reviewVersion,
    request: { uid, desiredAPIVersion: apiVersion, objects },
  });
  const response = answer.response as JsonObject | null | undefined;
  if (!response) throw new BadAnswer("failed: no response provided");
  if (reviewVersion.endsWith("/v1") && response.uid !== uid) {
    throw new BadAnswer(
      `failed: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? "")}`,
    );
  }
  const result = (response.result ?? {}) as JsonObject;
  if (result.status !== "Success") {
    throw new BadAnswer(
      `failed: ${result.message || `response.result.status was '${result.status ?? ""}', not 'Success'`}`,
    );
  }
  return (response.convertedObjects ?? []) as Json[];
}

/** Throws {@link BadAnswer}. */
function accept(objects: readonly KubeObject[], apiVersion: string, converted: readonly Json[]): KubeObject[] {
  if (converted.length !== objects.length) {
    throw new BadAnswer(`returned ${converted.length} objects, expected ${objects.length}`);
  }
  const single = objects.length === 1;
  return objects.map((original, i) => {
    const what = single ? "invalid object" : `invalid converted object at index ${i}`;
    const object = checkIdentity(original, converted[i], { apiVersion, what: single ? `${what} at index 0` : what });
    checkSame(original, object, what);
    return restoreMetadata(original, object, single ? "invalid metadata" : `invalid metadata in object at index ${i}`);
  });
}

function checkIdentity(
  original: KubeObject,
  converted: Json,
  { apiVersion, what }: { apiVersion: string; what: string },
): KubeObject {
  if (!isObject(converted)) throw new BadAnswer(`returned ${what}: it is no object`);
  if (converted.apiVersion !== apiVersion) {
    const got = converted.apiVersion ?? "";
    throw new BadAnswer(`returned ${what}: invalid groupVersion (expected ${apiVersion}, received ${got})`);
  }
  if (converted.kind !== original.kind) {
    const got = converted.kind ?? "";
    throw new BadAnswer(`returned ${what}: invalid kind (expected ${original.kind}, received ${got})`);
  }
  return converted as unknown as KubeObject;
}

function checkSame(original: KubeObject, converted: KubeObject, what: string): void {
  for (const [member, word] of [["name", "name"], ["namespace", "namespace"], ["uid", "UID"]] as const) {
    const before = original.metadata[member] ?? "", after = converted.metadata?.[member] ?? "";
    if (before !== after) throw new BadAnswer(`returned ${what}: must have the same ${word}: ${before} != ${after}`);
  }
}

/** The metadata of the original with the labels and annotations that came back. */
function restoreMetadata(original: KubeObject, converted: KubeObject, what: string): KubeObject {
  const refuse = (why: string) => new BadAnswer(`returned ${what}: ${why}`);
  if (converted.metadata === undefined) throw refuse("missing metadata in converted object");
  const metadata = clone(original.metadata);
  for (const member of ["labels", "annotations"] as const) {
    const given = converted.metadata[member] as Json | undefined;
    if (given === undefined || given === null) {
      delete metadata[member];
      continue;
    }
    if (!isObject(given)) throw refuse(`invalid metadata.${member} in converted object`);
    for (const [name, value] of Object.entries(given)) {
      if (typeof value !== "string") throw refuse(`metadata.${member}[${name}] must be a string in converted object`);
    }
    const texts = given as Record<string, string>, errors = problemsOf(member, texts);
    if (errors.length > 0) throw refuse(aggregate(errors));
    metadata[member] = texts;
  }
  return { ...converted, metadata };
}

function problemsOf(member: "labels" | "annotations", texts: Record<string, string>): FieldError[] {
  return collect((root) => {
    const at = root.child("metadata");
    // The path that kube-apiserver tells.
    if (member === "labels") validateLabels(texts, at.child(member));
    else validateAnnotations(texts, at.child("annotation"));
  });
}
