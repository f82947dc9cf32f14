// What a listener is to the life cycle, whatever it speaks.
import type { ConnectionInfo } from "../../endpoints/env.ts";

/** The whole handler chain: Hono's `app.fetch`. */
export type ConnectionHandler = (request: Request, connection: ConnectionInfo) => Response | Promise<Response>;

export interface Listener {
  readonly hostname: string;
  readonly port: number;
  /** Rejects when the listener broke; never resolves. */
  readonly failed: Promise<never>;
  /** No more connections; resolves when the last request in flight has been answered and its bytes are out. */
  shutdown(): Promise<void>;
  /** Cuts what is open. */
  close(): Promise<void>;
}

/** A listener that could not start: the message is for the operator. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

const REASONS: Record<string, string> = {
  EADDRINUSE: "address already in use",
  AddrInUse: "address already in use",
  EACCES: "permission denied",
  PermissionDenied: "permission denied",
  EADDRNOTAVAIL: "no such address on this machine",
  AddrNotAvailable: "no such address on this machine",
};

/** Says which flag is to blame for an error of the operating system. */
export function listenError(flag: string, at: { bindAddress: string; port: number }, error: unknown): ListenError {
  const { name, code, message } = error as Error & { code?: string };
  const host = at.bindAddress.includes(":") ? `[${at.bindAddress}]` : at.bindAddress;
  const reason = REASONS[code ?? ""] ?? REASONS[name] ?? message;
  return new ListenError(`${flag}=${at.port}: failed to listen on ${host}:${at.port}: ${reason}`, { cause: error });
}
