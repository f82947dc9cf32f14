// An HTTP/1.1 connection behind TLS: what the client sends goes to the back end and what that answers comes back, until
// a request asks for another protocol. That one is answered here, because the connection goes with it.
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { ConnectionInfo } from "../../../endpoints/env.ts";
import type { IncomingHead } from "../incoming_request.ts";
import type { BackendConnection, Http1Backend } from "./backend.ts";
import { ChunkedBody } from "./chunked_body.ts";
import { type Http1Head, readHead } from "./head.ts";
import { closeSoon } from "./join.ts";
import { answerUpgrade, type UpgradeOptions } from "./upgrade.ts";

/** Go's net/http allows as much for a head; milliseconds. */
const HEAD_TIMEOUT = 32_000;
/** A head that is longer is left to the back end, which takes few more bytes. */
const MAX_HEAD = 32 * 1024;
/** Bytes that a connection is good for once nobody can tell where the next head is: more than a body has. */
const MAX_UNFRAMED = 8 * 1024 * 1024;

export interface Http1Options extends UpgradeOptions {
  backend: Http1Backend;
  /** Whether the handler may answer such a request with a connection. All others are the back end's. */
  mayUpgrade(method: string, path: string): boolean;
}

export class Http1Connection {
  readonly #client: Socket;
  readonly #info: ConnectionInfo;
  readonly #options: Http1Options;
  #backend: BackendConnection | "connecting" | undefined;
  /** For the back end, once it is connected. */
  #unsent: Uint8Array[] = [];
  /** The beginning of a head. */
  #head: Buffer = Buffer.alloc(0);
  /** Bytes of a body that are still to come, unless it comes in chunks. */
  #body: number | ChunkedBody = 0;
  /** Nobody can tell where the next head is. */
  #unframed = false;
  #headTimer: ReturnType<typeof setTimeout> | undefined;
  /** Answers the request that asks for another protocol. */
  #upgrade: (() => void) | undefined;
  readonly #receive = (chunk: Buffer) => this.#take(chunk);
  readonly #ended = () => this.#end();

  constructor(client: Socket, info: ConnectionInfo, options: Http1Options) {
    this.#client = client;
    this.#info = info;
    this.#options = options;
    client.once("close", () => this.#close());
    client.once("end", this.#ended);
    client.on("data", this.#receive);
    this.#awaitHead();
  }

  /** Closes the connection if nothing has been asked over it; what has been asked is the back end's to answer. */
  leave(): void {
    if (this.#backend === undefined && this.#upgrade === undefined) this.#client.destroy();
  }

  #awaitHead(): void {
    this.#headTimer ??= setTimeout(() => this.#client.destroy(), HEAD_TIMEOUT);
  }

  #take(chunk: Buffer): void {
    let rest: Buffer | undefined = chunk;
    while (rest !== undefined && rest.length > 0) rest = this.#body === 0 ? this.#takeHead(rest) : this.#takeBody(rest);
  }

  #takeBody(bytes: Buffer): Buffer | undefined {
    const length = this.#bodyIn(bytes);
    if (length === 0) return void this.#client.destroy();
    this.#forward(bytes.subarray(0, length));
    return bytes.subarray(length);
  }

  /** How many of the bytes are the body's; none when this is no body. */
  #bodyIn(bytes: Buffer): number {
    if (typeof this.#body === "number") {
      const length = Math.min(this.#body, bytes.length);
      this.#body -= length;
      return this.#body === 0 && this.#unframed ? 0 : length;
    }
    try {
      const length = this.#body.take(bytes);
      if (this.#body.ended) this.#body = 0;
      return length;
    } catch (error) {
      if (error instanceof RangeError) return 0;
      throw error;
    }
  }

  /** What is behind the head; undefined when it is not for the back end. */
  #takeHead(bytes: Buffer): Buffer | undefined {
    const all = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    const head = readHead(all.toString("latin1", 0, MAX_HEAD)) ?? (all.length > MAX_HEAD ? UNREADABLE : undefined);
    this.#head = head === undefined ? Buffer.from(all) : Buffer.alloc(0);
    if (head === undefined) {
      this.#awaitHead();
      return undefined;
    }
    clearTimeout(this.#headTimer);
    this.#headTimer = undefined;
    const { upgrade } = head;
    if (upgrade !== undefined && this.#options.mayUpgrade(upgrade.method, upgrade.path)) {
      this.#beginUpgrade(upgrade, all.subarray(head.length));
      return undefined;
    }
    this.#expectBody(head.bodyLength);
    this.#forward(all.subarray(0, head.length));
    return all.subarray(head.length);
  }

  #expectBody(length: Http1Head["bodyLength"]): void {
    this.#unframed = length === undefined;
    this.#body = length === "chunked" ? new ChunkedBody() : length ?? MAX_UNFRAMED;
  }

  #forward(bytes: Uint8Array): void {
    const backend = this.#backend;
    if (backend === undefined || backend === "connecting") {
      this.#unsent.push(bytes);
      this.#client.pause();
      if (backend === undefined) this.#connect();
    } else if (!backend.socket.write(bytes)) {
      this.#client.pause();
    }
  }

  #connect(): void {
    const client = this.#client;
    this.#backend = "connecting";
    this.#options.backend.connect(this.#info, (backend) => {
      if (client.destroyed) return backend.close();
      this.#backend = backend;
      const { socket } = backend;
      socket.pipe(client, { end: false });
      socket.on("drain", () => void (this.#upgrade === undefined && client.resume()));
      socket.once("end", () => this.#upgrade === undefined ? closeSoon(client) : this.#upgrade());
      socket.once("close", () => client.writableEnded || this.#upgrade || client.destroy());
      for (const bytes of this.#unsent) socket.write(bytes);
      this.#unsent = [];
      if (this.#upgrade !== undefined || client.readableEnded) socket.end();
      else client.resume();
    }, () => client.destroy());
  }

  /** The client has said all. */
  #end(): void {
    const backend = this.#backend;
    if (backend === undefined) return void this.#client.destroy();
    // It is told once it is connected.
    if (backend !== "connecting") backend.socket.end();
  }

  #close(): void {
    clearTimeout(this.#headTimer);
    if (this.#backend !== undefined && this.#backend !== "connecting") this.#backend.close();
  }

  // Answers come in the order of requests: those that the back end still owes have to be out first. It closes when they
  // are, since there will be no more from us.
  #beginUpgrade(head: IncomingHead, early: Buffer): void {
    const client = this.#client, backend = this.#backend;
    client.off("data", this.#receive);
    client.off("end", this.#ended);
    client.pause();
    this.#upgrade = () => void answerUpgrade(client, { head, early, info: this.#info }, this.#options);
    if (backend === undefined) this.#upgrade();
    else if (backend !== "connecting") backend.socket.end();
  }
}

/** What the back end may make something of. */
const UNREADABLE: Http1Head = { length: MAX_HEAD, bodyLength: undefined };
