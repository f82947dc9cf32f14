// A kubelet for tests, of which there is only what upgrades need: TLS, one request on each connection, and an answer.
import { createServer, type TLSSocket } from "node:tls";
import type { IssuedCertificate } from "../../src/server/serving/issue.ts";
import { pauseUnderneath } from "../../src/tls_backpressure.ts";

export interface KubeletRequest {
  /** Method and path. */
  line: string;
  /** The fields of the head, as they came. */
  fields: string[];
  socket: TLSSocket;
}

export interface TestKubelet {
  port: number;
  close(): Promise<void>;
}

/**
 * Calls `answer` with each request once its head is there; what is behind that is still in the socket.
 *
 * @param clientCA PEM; clients have to show a certificate that comes from it
 */
export async function startKubelet(
  identity: IssuedCertificate,
  clientCA: string,
  answer: (request: KubeletRequest) => void,
): Promise<TestKubelet> {
  const open = new Set<TLSSocket>();
  const server = createServer({ ...identity, ca: clientCA, requestCert: true }, (socket) => {
    open.add(socket);
    pauseUnderneath(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => open.delete(socket));
    let text = "";
    socket.on("data", function receive(chunk) {
      text += chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      socket.off("data", receive);
      socket.pause();
      const rest = text.slice(end + 4);
      if (rest !== "") socket.unshift(rest, "latin1");
      const [line, ...fields] = text.slice(0, end).split("\r\n");
      answer({ line: line.replace(/ HTTP\/1\.1$/, ""), fields, socket });
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
