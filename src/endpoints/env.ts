// What travels with a request through the handler chain: Hono's bindings (from the listener) and variables (from filters).
import type { Context } from "hono";
import type { UserInfo } from "../authentication/interface.ts";
import type { RequestInfo } from "./request_info.ts";
import type { RequestUrl } from "./request_url.ts";

/** From the listener. */
export interface ConnectionInfo {
  remoteAddress: string;
  /** DER, the client's own certificate first; verified by nobody yet. */
  peerCertificates?: readonly Uint8Array[];
  /** False on the insecure port. */
  secure: boolean;
  /** The answer may be an UpgradedResponse: the request asks for another protocol and has the connection for itself. */
  upgradable?: boolean;
}

/** Set by filters, each by the one that is named. */
export interface RequestVariables {
  /** audit_id */
  auditId: string;
  /** request_info */
  requestInfo: RequestInfo;
  /** What is asked for; request_info. */
  url: RequestUrl;
  /** request_info; `performance.now()` */
  receivedAt: number;
  /** warning: texts to send as Warning headers. */
  warnings: string[];
  /** deadline: ends with the client, the deadline or the server. */
  signal: AbortSignal;
  /** authentication: nobody knows who this is, and the answer that says so waits for its time. */
  refused?: true;
  /** authentication; replaced by impersonation. */
  user: UserInfo;
  /** audit annotations of authorization and admission. */
  auditAnnotations: Map<string, string>;
}

export interface Env {
  Bindings: ConnectionInfo;
  Variables: RequestVariables;
}

export type RequestHandlerContext = Context<Env>;
