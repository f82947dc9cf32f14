// Groups under k8s.io and kubernetes.io belong to the Kubernetes community: their CRDs name the review that approved
// them, or say that none did (https://github.com/kubernetes/enhancements/pull/1111).
import { goQuote } from "../../machinery/go_text.ts";

export const API_APPROVED_ANNOTATION = "api-approved.kubernetes.io";

const COMMUNITY = /(^|\.)(k8s\.io|kubernetes\.io)$/;
const MUST_HAVE = `protected groups must have approval annotation "${API_APPROVED_ANNOTATION}"`;
const SEE = "see https://github.com/kubernetes/enhancements/pull/1111";
/** A URL with a scheme and a host. */
const ABSOLUTE_URL =
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#@\s]*@)?(\[[0-9A-Fa-f:.%]+\]|[^/?#@:[\]\s<>"\\^`{|}]+)(:\d*)?([/?]|$)/;
/** Control characters are in no URL, and a percent sign starts an escape. */
// deno-lint-ignore no-control-regex -- they are what is looked for
const BROKEN_URL = /[\x00-\x1f\x7f]|%(?![0-9A-Fa-f]{2})/;

export type ApiApproval = "Invalid" | "Approved" | "Bypassed" | "Missing";

/** Whether CRDs of a group need an approval. */
export function isCommunityGroup(group: string): boolean {
  return COMMUNITY.test(group);
}

/** What the annotations say, and that in words. */
export function apiApprovalOf(
  annotations: Readonly<Record<string, string>> | undefined,
): { state: ApiApproval; message: string } {
  const annotation = annotations?.[API_APPROVED_ANNOTATION] ?? "";
  if (annotation === "") return { state: "Missing", message: `${MUST_HAVE}, ${SEE}` };
  if (annotation.startsWith("unapproved")) {
    return { state: "Bypassed", message: `not approved: ${goQuote(annotation)}` };
  }
  if (ABSOLUTE_URL.test(annotation) && !BROKEN_URL.test(annotation)) {
    return { state: "Approved", message: `approved in ${annotation}` };
  }
  return {
    state: "Invalid",
    message: `${MUST_HAVE} with either a URL or a reason starting with "unapproved", ${SEE}`,
  };
}
