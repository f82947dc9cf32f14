// The insecure port: plain HTTP/1.1 and HTTP/2 with prior knowledge, straight from Deno.serve.
import type { InsecureServingConfig } from "../config.ts";
import { lameDuck } from "./lame_duck.ts";
import { type ConnectionHandler, type Listener, listenError } from "./listener.ts";

/** Listens; throws a ListenError when that fails. */
export function listenInsecure(config: InsecureServingConfig, handler: ConnectionHandler): Listener {
  const cut = new AbortController();
  const duck = lameDuck(handler);
  const server = serve(config, duck.handler, cut.signal);
  let finished = false;
  server.finished.then(() => finished = true);
  return {
    hostname: config.bindAddress,
    port: server.addr.port,
    failed: new Promise(() => {}),
    async shutdown() {
      await duck.begin();
      await server.shutdown();
    },
    close: () => {
      if (!finished) cut.abort(); // The runtime does not take the end of what has ended.
      return server.finished;
    },
  };
}

function serve(config: InsecureServingConfig, handler: ConnectionHandler, signal: AbortSignal) {
  const { bindAddress: hostname, port } = config;
  try {
    return Deno.serve(
      { hostname, port, signal, onListen: () => {} },
      (request, info) => handler(request, { remoteAddress: info.remoteAddr.hostname, secure: false }),
    );
  } catch (e) {
    throw listenError("--insecure-port", config, e);
  }
}
