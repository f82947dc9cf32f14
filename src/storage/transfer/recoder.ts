// Values on their way from one database to another: as they are, or encrypted anew.
import type { GroupResource } from "../../machinery/types.ts";
import type { Encryption } from "../encryption/mod.ts";
import { IDENTITY, isEncrypted, type Opened, type Transformer } from "../encryption/transformer.ts";

export interface RecoderOptions {
  /** Reads and writes the values of the resources that it names; undefined: values stay as they are. */
  encryption?: Encryption;
  resourceOf(key: string): GroupResource;
  /** What `/registry` is called where values come from, and where they go: it is part of how they are encrypted. */
  from: string;
  to: string;
}

const ROOT = "/registry";
const encoder = new TextEncoder();

export class Recoder {
  readonly #options: RecoderOptions;

  constructor(options: RecoderOptions) {
    this.#options = options;
  }

  /** What a value says, to be compared: of the database that is read. Throws an Error that names the key. */
  async read(key: string, value: Uint8Array): Promise<Uint8Array> {
    return (await this.#open(key, value, this.#options.from)).value;
  }

  /** The same of the one that is written; undefined for a value that would be encrypted in another way now. */
  async readBack(key: string, value: Uint8Array): Promise<Uint8Array | undefined> {
    const { value: plain, stale } = await this.#open(key, value, this.#options.to);
    return stale ? undefined : plain;
  }

  /** What is written for what {@link read} gave. */
  async seal(key: string, value: Uint8Array): Promise<Uint8Array> {
    const { to } = this.#options;
    return await this.#transformer(key).seal(value, contextOf(key, to));
  }

  async #open(key: string, value: Uint8Array, root: string): Promise<Opened> {
    const { encryption, from, to } = this.#options;
    if (encryption === undefined) {
      if (from === to || !isEncrypted(value)) return { value, stale: false };
      throw new Error(
        `${key} is encrypted, which binds it to ${from}: give --encryption-provider-config, so that it can be moved to ${to}`,
      );
    }
    try {
      return await this.#transformer(key).open(value, contextOf(key, root));
    } catch (error) {
      throw new Error(`${key} cannot be decrypted: ${(error as Error).message}`);
    }
  }

  #transformer(key: string): Transformer {
    const { encryption, resourceOf } = this.#options;
    return encryption?.transformerFor(resourceOf(key)) ?? IDENTITY;
  }
}

function contextOf(key: string, root: string): Uint8Array {
  return encoder.encode(root + key.slice(ROOT.length));
}
