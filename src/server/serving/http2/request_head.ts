// What a header block says about a request, and what makes it malformed (RFC 9113, sections 8.1 to 8.3).
import type { HeaderField } from "./hpack/dynamic_table.ts";
import type { IncomingHead } from "../incoming_request.ts";
import { PlainHeaders } from "../../../endpoints/plain_headers.ts";

export interface RequestHead extends IncomingHead {
  /** Bytes of the body, where the client has said. */
  contentLength?: number;
}

/** Bytes of all fields, as Go's net/http counts and allows. */
const MAX_LIST_SIZE = 1 << 20;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** What no value may hold. */
const FORBIDDEN_IN_VALUES = /[\0\r\n]|^[ \t]|[ \t]$/;
const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
/** Controls and spaces: whoever takes the path on could read more than a path out of them. */
const FORBIDDEN_IN_PATHS = /[\0-\x20\x7f]/;
const OF_THE_CONNECTION = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]);

/** Takes the fields of one header block as they are decoded. */
export class HeadCollector {
  readonly #headers = new PlainHeaders();
  readonly #pseudo: Record<string, string | undefined> = {
    ":method": undefined,
    ":scheme": undefined,
    ":authority": undefined,
    ":path": undefined,
  };
  #size = 0;
  #hasPseudo = false;
  #regular = false;
  /** What is wrong with the block, when something is. */
  problem: string | undefined;

  /** Whether it is larger than the server takes. */
  get tooLarge(): boolean {
    return this.#size > MAX_LIST_SIZE;
  }

  /** To be handed to the decoder. */
  readonly add = (field: HeaderField): void => {
    this.#size += field.name.length + field.value.length + 32;
    // What is refused need not be kept, but the decoder has to see all of it.
    if (this.tooLarge || this.problem !== undefined) return;
    this.problem = this.#take(field);
  };

  #take({ name, value }: HeaderField): string | undefined {
    if (name.startsWith(":")) {
      if (this.#regular) return `${name} after other fields`;
      if (!(name in this.#pseudo)) return `${name} is not a field of requests`;
      if (this.#pseudo[name] !== undefined) return `${name} is given twice`;
      this.#pseudo[name] = value;
      this.#hasPseudo = true;
      return;
    }
    this.#regular = true;
    if (!TOKEN.test(name)) return "a field name that is none";
    if (FORBIDDEN_IN_VALUES.test(value)) return `the value of ${name} is none`;
    if (OF_THE_CONNECTION.has(name) || (name === "te" && value !== "trailers")) return `${name} has no place in HTTP/2`;
    this.#headers.append(name, value);
  }

  /** The request, or a text that says what is wrong with it. */
  request(): RequestHead | string {
    if (this.problem !== undefined) return this.problem;
    const { ":method": method, ":scheme": scheme, ":path": path, ":authority": authority } = this.#pseudo;
    if (method === undefined || scheme === undefined || path === undefined) return "a request needs three fields";
    if (!METHOD.test(method) || (scheme !== "https" && scheme !== "http")) return "a method or scheme that is none";
    if (FORBIDDEN_IN_PATHS.test(path)) return "a path that is none";
    if (!path.startsWith("/") && !(path === "*" && method === "OPTIONS")) return "a path that is none";
    if (authority !== undefined && !this.#headers.has("host")) this.#headers.append("host", authority);
    const length = this.#headers.get("content-length");
    if (length !== null && !/^\d{1,15}$/.test(length)) return "a content-length that is none";
    return {
      method,
      scheme,
      path,
      headers: this.#headers,
      contentLength: length === null ? undefined : Number(length),
    };
  }

  /** What is wrong with the fields behind a body, when something is. */
  trailers(): string | undefined {
    return this.problem ?? (this.#hasPseudo ? "trailers hold no pseudo fields" : undefined);
  }
}
