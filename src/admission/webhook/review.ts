// AdmissionReview, the question to a webhook and its answer (admission.k8s.io/v1 and v1beta1).
import type { Status } from "../../machinery/errors.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { apiVersionOf, type JsonObject } from "../../machinery/types.ts";
import type { AdmissionAttributes } from "../interface.ts";
import type { Match } from "../matching/match.ts";
import { shownObject, type VersionedObjects } from "../matching/versioned.ts";

const GROUP = "admission.k8s.io", KIND = "AdmissionReview";
const VERSIONS = ["v1", "v1beta1"];

export interface ReviewResponse {
  allowed: boolean;
  /** What the client is told when it is not allowed. */
  result?: Partial<Status>;
  warnings: string[];
  auditAnnotations: Record<string, string>;
  /** JSON text of the patch; "" when there is none. */
  patch: string;
  patchType: string;
}

/** As it is sent. */
export interface Review {
  kind: string;
  apiVersion: string;
  request: Readonly<Record<string, unknown>>;
}

/** The first version that both know. Throws an Error when there is none. */
export function reviewVersion(accepted: readonly string[] = []): string {
  const version = accepted.find((one) => VERSIONS.includes(one));
  if (version === undefined) throw new Error("webhook does not accept known AdmissionReview versions (v1, v1beta1)");
  return version;
}

export function reviewOf(
  version: string,
  { attributes, match, objects }: { attributes: AdmissionAttributes; match: Match; objects: VersionedObjects },
): { uid: string; review: Review } {
  const uid = crypto.randomUUID();
  const { kind, resource, subresource, name, namespace, operation, user, dryRun, options } = attributes;
  const sub = subresource === "" ? {} : { subResource: subresource };
  const request = {
    uid,
    kind: match.kind,
    resource: match.resource,
    ...sub,
    requestKind: kind,
    requestResource: resource,
    ...subresource === "" ? {} : { requestSubResource: subresource },
    ...name === "" ? {} : { name },
    ...namespace === "" ? {} : { namespace },
    operation,
    userInfo: {
      username: user.name,
      ...user.uid === "" ? {} : { uid: user.uid },
      ...user.groups.length === 0 ? {} : { groups: user.groups },
      ...Object.keys(user.extra).length === 0 ? {} : { extra: user.extra },
    },
    object: shownObject(attributes, objects) ?? null,
    oldObject: objects.oldObject ?? null,
    dryRun,
    options: Object.keys(options).length === 0 ? null : options,
  };
  return {
    uid,
    review: { kind: KIND, apiVersion: apiVersionOf({ group: GROUP, version }), request },
  };
}

function gvkText(apiVersion: string, kind: string): string {
  const slash = apiVersion.lastIndexOf("/");
  return `${slash < 0 ? "" : apiVersion.slice(0, slash)}/${apiVersion.slice(slash + 1)}, Kind=${kind}`;
}

/** Throws an Error that says what is wrong with the answer. */
export function readResponse(
  version: string,
  answer: JsonObject,
  { uid, mutating }: { uid: string; mutating: boolean },
): ReviewResponse {
  const { response, apiVersion = "", kind = "" } = answer as {
    response?: JsonObject | null;
    apiVersion?: string;
    kind?: string;
  };
  if (!response) throw new Error("webhook response was absent");
  const patch = typeof response.patch === "string"
    ? new TextDecoder().decode(Uint8Array.fromBase64(response.patch))
    : "";
  let patchType = typeof response.patchType === "string" ? response.patchType : undefined;
  if (version === "v1") {
    const said = String(response.uid ?? ""), wanted = apiVersionOf({ group: GROUP, version });
    if (said !== uid) throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(said)}`);
    if (apiVersion !== wanted || kind !== KIND) {
      throw new Error(`expected webhook response of ${gvkText(wanted, KIND)}, got ${gvkText(apiVersion, kind)}`);
    }
    checkPatch(patch, patchType, mutating);
  } else {
    patchType = patch === "" ? undefined : "JSONPatch";
  }
  return {
    allowed: response.allowed === true,
    result: (response.status ?? undefined) as Partial<Status> | undefined,
    warnings: (response.warnings ?? []) as string[],
    auditAnnotations: (response.auditAnnotations ?? {}) as Record<string, string>,
    patch: mutating ? patch : "",
    patchType: patchType ?? "",
  };
}

function checkPatch(patch: string, patchType: string | undefined, mutating: boolean): void {
  if (!mutating) {
    if (patch !== "") throw new Error("validating webhook may not return response.patch");
    if (patchType !== undefined) throw new Error("validating webhook may not return response.patchType");
    return;
  }
  if (patch !== "" && patchType === undefined) {
    throw new Error("webhook returned response.patch but not response.patchType");
  }
  if (patch === "" && patchType !== undefined) {
    throw new Error("webhook returned response.patchType but not response.patch");
  }
  if (patchType === "") throw new Error(`webhook returned invalid response.patchType of ${goQuote(patchType)}`);
}
