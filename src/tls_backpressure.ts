// A TLS connection that nobody reads from has to make its peer wait. The runtime does not see to that: it goes on reading
// the TCP connection underneath and keeps what it has decrypted, without any limit.
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** What the runtime has of a TCP connection: there is no other way to stop it once TLS has taken it over. */
interface Handle {
  readStop(): void;
  readStart(): void;
}

/**
 * Pauses the TCP connection whenever the TLS connection is paused.
 *
 * @param connection what TLS runs over; where a server has accepted it, the runtime knows
 */
export function pauseUnderneath(socket: TLSSocket, connection = parentOf(socket)): void {
  socket.on("pause", () => handleOf(connection)?.readStop());
  // It may have been paused again before the event: what is resumed reads first.
  socket.on("resume", () => void (socket.isPaused() || handleOf(connection)?.readStart()));
}

function parentOf(socket: TLSSocket): Socket | undefined {
  return (socket as unknown as { _parent?: Socket })._parent;
}

/** Undefined once it is closed. */
function handleOf(connection: Socket | undefined): Handle | null | undefined {
  return (connection as unknown as { _handle?: Handle | null } | undefined)?._handle;
}
