// Envelope encryption with a KMS plugin (v2): values are encrypted with keys derived from a seed, the seed by the plugin.
import { createHash, randomBytes } from "node:crypto";
import { aesGcm, extendedNonceGcm, SEED } from "./aes.ts";
import {
  type Annotations,
  decodeObject,
  DEK_SEED,
  encodeObject,
  type EncryptedObject,
  KmsService,
  type KmsStatus,
} from "./kms_service.ts";
import type { KmsMeasures } from "./measures.ts";
import type { Opened, Transformer } from "./transformer.ts";
import { rpcErrorOf } from "../grpc/message.ts";

export interface KmsOptions {
  name: string;
  endpoint: string;
  /** Milliseconds that the plugin has for an answer. */
  timeout: number;
}

/** Milliseconds between looks at the plugin's key, when all is well and when not. */
const POLL = 60_000, POLL_FAILED = 10_000;
/** Milliseconds that a seed is used for after the plugin was last well. */
const SEED_LIFETIME = 180_000;
/** Milliseconds that an answer about the plugin's health is good for, a good and a bad one. */
const HEALTHY_FOR = 20_000, UNHEALTHY_FOR = 3_000;
/** Keys that are remembered. */
const MOST_KEYS = 1000;

/** The seed that is written with. */
interface State {
  transformer: Transformer;
  keyId: string;
  encryptedSeed: Uint8Array;
  annotations: Annotations;
  /** Milliseconds since 1970. */
  expires: number;
}

export class KmsProvider implements Transformer {
  readonly name: string;
  readonly #service: KmsService;
  readonly #measures: KmsMeasures | undefined;
  #state: State | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #health: { error: Error | undefined; until: number } = { error: undefined, until: 0 };
  readonly #keys = new Map<string, Promise<Transformer> | Transformer>();

  constructor({ name, endpoint, timeout }: KmsOptions, measures?: KmsMeasures) {
    this.name = name;
    this.#measures = measures;
    this.#service = new KmsService(endpoint, { timeout, onCall: measures?.called });
  }

  /** Gets a seed, and keeps looking at the plugin's key. A plugin that does not answer is asked again later. */
  async start(): Promise<void> {
    await this.check().catch(() => {});
    const poll = async () => {
      this.#health.until = 0;
      const well = await this.check().then(() => true, () => false);
      this.#timer = setTimeout(poll, well ? POLL : POLL_FAILED).unref();
    };
    this.#timer = setTimeout(poll, this.#state === undefined ? POLL_FAILED : POLL).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#service.close();
  }

  /** Throws what is wrong with the plugin. */
  async check(): Promise<void> {
    if (Date.now() >= this.#health.until) {
      const error = await this.#probe().then(() => undefined, (e: Error) => e);
      this.#health = { error, until: Date.now() + (error === undefined ? HEALTHY_FOR : UNHEALTHY_FOR) };
    }
    if (this.#health.error !== undefined) throw this.#health.error;
  }

  open(stored: Uint8Array, context: Uint8Array): Opened | Promise<Opened> {
    const object = decodeObject(stored), name = nameOf(object);
    const stale = object.keyId !== this.#state?.keyId || object.encryptedDekSourceType !== DEK_SEED;
    const finish = (transformer: Transformer): Opened => {
      const { value } = transformer.open(object.encryptedData, context) as Opened;
      this.#measures?.keyUsed("from_storage", object.keyId);
      return { value, stale };
    };
    let key = this.#keys.get(name);
    if (key === undefined) {
      const asked = this.#decryptKey(object);
      this.#remember(name, key = asked);
      asked.then((transformer) => this.#keys.set(name, transformer), () => this.#forget(name));
    }
    return key instanceof Promise ? key.then(finish) : finish(key);
  }

  seal(value: Uint8Array, context: Uint8Array): Uint8Array {
    const state = this.#state;
    if (state === undefined) throw new Error(`KMS provider ${this.name} has given no key yet`);
    if (Date.now() > state.expires) {
      throw new Error(`the key of KMS provider ${this.name} expired at ${new Date(state.expires).toISOString()}`);
    }
    this.#measures?.keyUsed("to_storage", state.keyId);
    return encodeObject({
      encryptedData: state.transformer.seal(value, context) as Uint8Array,
      keyId: state.keyId,
      encryptedDekSource: state.encryptedSeed,
      annotations: state.annotations,
      encryptedDekSourceType: DEK_SEED,
    });
  }

  async #probe(): Promise<void> {
    const status = await this.#service.status().catch((error) => {
      throw new Error(
        `failed to perform status section of the healthz check for KMS Provider ${this.name}, error: ${
          rpcErrorOf(error)
        }`,
      );
    });
    this.#measures?.keyNamed(status.keyId);
    checkStatus(status);
    if (this.#state?.keyId === status.keyId) {
      this.#state.expires = Date.now() + SEED_LIFETIME;
      return;
    }
    const start = performance.now(), seed = randomBytes(SEED);
    this.#measures?.seedMade((performance.now() - start) / 1000);
    const { ciphertext, keyId, annotations } = await this.#service.encrypt(seed);
    const state: State = {
      transformer: extendedNonceGcm(seed),
      keyId,
      encryptedSeed: ciphertext,
      annotations,
      expires: Date.now() + SEED_LIFETIME,
    };
    this.#remember(
      nameOf({ encryptedDekSourceType: DEK_SEED, encryptedDekSource: ciphertext, keyId, annotations }),
      state.transformer,
    );
    this.#state = state;
  }

  async #decryptKey(object: EncryptedObject): Promise<Transformer> {
    const { encryptedDekSource: ciphertext, keyId, annotations, encryptedDekSourceType } = object;
    const key = await this.#service.decrypt({ ciphertext, keyId, annotations }).catch((error) => {
      throw new Error(`failed to decrypt DEK, error: ${rpcErrorOf(error)}`, { cause: error });
    });
    return encryptedDekSourceType === DEK_SEED ? extendedNonceGcm(key) : aesGcm(key);
  }

  #forget(name: string): void {
    this.#keys.delete(name);
    this.#measures?.keysKnown(this.#keys.size);
  }

  #remember(name: string, key: Promise<Transformer> | Transformer): void {
    if (this.#keys.size >= MOST_KEYS) this.#keys.delete(this.#keys.keys().next().value!);
    this.#keys.set(name, key);
    this.#measures?.keysKnown(this.#keys.size);
  }
}

function checkStatus({ version, healthz, keyId }: KmsStatus): void {
  if (healthz !== "ok") throw new Error(`got unexpected healthz status: ${healthz}`);
  if (version !== "v2" && version !== "v2beta1") throw new Error(`expected KMSv2 API version v2, got ${version}`);
  if (keyId === "") throw new Error("expected KMSv2 KeyID to be set, got empty");
}

/** What tells one encrypted key from another. */
function nameOf(object: Omit<EncryptedObject, "encryptedData">): string {
  const { encryptedDekSourceType, encryptedDekSource, keyId, annotations } = object;
  const hash = createHash("sha256").update(encryptedDekSource).update(`\0${encryptedDekSourceType}\0${keyId}`);
  for (const [name, value] of Object.entries(annotations).sort(([a], [b]) => a < b ? -1 : 1)) {
    hash.update(`\0${name}\0`).update(value);
  }
  return hash.digest("base64");
}
