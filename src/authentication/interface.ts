// Who makes a request: the words of k8s.io/apiserver's authenticator and user packages.
import type { KubeObject } from "../machinery/types.ts";

/** A user as authentication found it, or as impersonation set it. */
export interface UserInfo {
  name: string;
  uid: string;
  groups: readonly string[];
  extra: Readonly<Record<string, readonly string[]>>;
}

/** What authentication knows of a request. `peerCertificates` are DER, the client's own first, when it sent any. */
export interface AuthenticationRequest {
  headers: Headers;
  url: Pick<URL, "pathname">;
  peerCertificates?: readonly Uint8Array[];
  remoteAddress: string;
  /** What the credential has to be good for; the server's own audiences when nothing is said. */
  audiences?: readonly string[];
  /** Tells the client of something odd about its credential. */
  addWarning?(text: string): void;
}

export interface AuthenticationResponse {
  user: UserInfo;
  /** Audiences that the credential is good for, when it names any. */
  audiences?: readonly string[];
  /** What the client is told about its credential. */
  warnings?: readonly string[];
  /** What the audit log says about the credential. */
  auditAnnotations?: Readonly<Record<string, string>>;
}

/**
 * One way of authenticating: undefined when the request carries nothing for it, throws when what it carries is wrong.
 * May answer without a promise: the hot path does not wait.
 */
export interface Authenticator {
  authenticateRequest(
    request: AuthenticationRequest,
  ): AuthenticationResponse | undefined | Promise<AuthenticationResponse | undefined>;
}

/**
 * Authenticates a bearer token: undefined when it is none of this kind, throws when it is and is wrong.
 * `audiences`: what the token has to be good for.
 */
export interface TokenAuthenticator {
  authenticateToken(
    token: string,
    audiences: readonly string[],
  ): AuthenticationResponse | undefined | Promise<AuthenticationResponse | undefined>;
}

/** The newest state of an object of the core group; undefined when there is none. `namespace` is "" for nodes. */
export type ObjectGetter = (
  resource: string,
  namespace: string,
  name: string,
) => KubeObject | undefined | Promise<KubeObject | undefined>;

/** The key of a user's `extra` that names the credential itself: `JTI=…`, `X509SHA256=…`. */
export const CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

export const ANONYMOUS = "system:anonymous";
export const ALL_AUTHENTICATED = "system:authenticated";
export const ALL_UNAUTHENTICATED = "system:unauthenticated";
export const SYSTEM_MASTERS = "system:masters";
