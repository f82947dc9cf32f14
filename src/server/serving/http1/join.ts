// Makes one connection out of two.
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** How long a peer may take to close after the last byte went out; milliseconds. */
export const LINGER = 2_000;

/** What one says the other hears, as fast as it listens. When one has ended or is gone, so is the other soon after. */
export function join(one: Socket, other: Duplex): void {
  const pairs: [Duplex, Duplex][] = [[one, other], [other, one]];
  for (const [from, to] of pairs) {
    from.once("end", () => closeSoon(to));
    from.once("error", () => from.destroy());
    from.once("close", () => to.writableEnded || to.destroy());
    from.pipe(to);
    if (from.readableEnded || from.destroyed) closeSoon(to);
  }
}

/** The last bytes still have to get out, and a reset could overtake them. */
export function closeSoon(socket: Duplex): void {
  const linger = () => setTimeout(() => socket.destroy(), LINGER).unref();
  socket.end();
  if (socket.writableFinished) linger();
  else socket.once("finish", linger);
}
