// The moment before a listener closes. An HTTP/1.1 client may send its next request just when the server closes the
// idle connection, and has no way to know whether it was taken. So for a moment every answer says that it is the last
// one of its connection, and clients that are busy go elsewhere by themselves. HTTP/2 has GOAWAY for that.
import { ReadyResponse } from "../../endpoints/ready_response.ts";
import type { ConnectionHandler } from "./listener.ts";

/** How long; milliseconds. */
const MOMENT = 100;

export interface LameDuck {
  /** For Deno.serve, which sends the runtime's own answers only. */
  handler: ConnectionHandler;
  /** Resolves when the listener may close. */
  begin(): Promise<void>;
}

export function lameDuck(handler: ConnectionHandler): LameDuck {
  let leaving = false;
  return {
    async handler(request, connection) {
      const answer = await handler(request, connection);
      const response = answer instanceof ReadyResponse ? answer.toResponse() : answer;
      return leaving ? lastAnswer(response) : response;
    },
    begin() {
      leaving = true;
      return new Promise((resolve) => setTimeout(resolve, MOMENT));
    },
  };
}

function lastAnswer(response: Response): Response {
  if (response.status === 101) return response;
  const headers = new Headers(response.headers);
  headers.set("connection", "close");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
