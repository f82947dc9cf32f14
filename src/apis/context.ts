// What a request carries through registry, strategies and admission. It knows nothing of HTTP.
import type { UserInfo } from "../authentication/interface.ts";

export interface RequestContext {
  user: UserInfo;
  /** The namespace of the path; "" for cluster scoped resources and for lists across all namespaces. */
  namespace: string;
  userAgent: string;
  /** What the client does, in the words of authorization (`patch`); "" for the server itself. */
  verb: string;
  /** Ends when the client goes away, the deadline passes or the server stops at once. */
  signal: AbortSignal;
  /** Sends a Warning header with the answer; equal texts are sent once. */
  addWarning(text: string): void;
  addAuditAnnotation(key: string, value: string): void;
}
