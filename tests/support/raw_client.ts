// A client that speaks HTTP/1.1 by hand: what it says is what the server gets, byte for byte.
import { connect } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { pauseUnderneath } from "../../src/tls_backpressure.ts";
import type { TestServer } from "./server.ts";

/** A connection to the secure port that says what it is told and keeps what it hears. */
export class RawClient {
  #heard = "";
  #ended = false;
  #news = () => {};
  readonly socket: TLSSocket;

  constructor({ port }: TestServer) {
    const connection = connect(port, "127.0.0.1");
    this.socket = connectTls({ socket: connection, rejectUnauthorized: false });
    pauseUnderneath(this.socket, connection);
    this.socket.on("data", (chunk) => {
      this.#heard += chunk.toString("latin1");
      this.#news();
    });
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.#ended = true;
      this.#news();
    });
  }

  say(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  request(method: string, path: string, token: string, fields: string[] = []): void {
    const lines = [`${method} ${path} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${token}`, ...fields];
    this.say(`${lines.join("\r\n")}\r\n\r\n`);
  }

  /** What was heard, once that is right, or there will be no more. */
  async until(right: (heard: string) => boolean): Promise<string> {
    while (!right(this.#heard) && !this.#ended) await new Promise<void>((resolve) => this.#news = resolve);
    return this.#heard;
  }

  hears(text: string): Promise<string> {
    return this.until((heard) => heard.includes(text));
  }

  /** All of it. */
  theEnd(): Promise<string> {
    return this.until(() => false);
  }

  listen(listens: boolean): void {
    if (listens) this.socket.resume();
    else this.socket.pause();
  }

  end(): void {
    this.socket.end();
  }

  close(): void {
    this.socket.destroy();
  }
}
