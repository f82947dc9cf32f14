// Groups under k8s.io and kubernetes.io belong to the Kubernetes community: their CRDs name the review that approved
// them, or say that none did (https://github.com/kubernetes/enhancements/pull/1111).
import { goQuote } from "../../machinery/go_text.ts";
import { parseRequestUri } from "../../machinery/go_url.ts";

export const API_APPROVED_ANNOTATION = "api-approved.kubernetes.io";

const COMMUNITY = /(^|\.)(k8s\.io|kubernetes\.io)$/;
const MUST_HAVE = `protected groups must have approval annotation "${API_APPROVED_ANNOTATION}"`;
const SEE = "see https://github.com/kubernetes/enhancements/pull/1111";
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
  if (isAbsoluteUrl(annotation)) {
    return { state: "Approved", message: `approved in ${annotation}` };
  }
  return {
    state: "Invalid",
    message: `${MUST_HAVE} with either a URL or a reason starting with "unapproved", ${SEE}`,
  };
}

/** Whether it is a URL with a scheme and a host. */
function isAbsoluteUrl(text: string): boolean {
  try {
    const { scheme, host } = parseRequestUri(text);
    return scheme !== "" && host !== "";
  } catch {
    return false;
  }
}
