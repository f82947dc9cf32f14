// The v2 API of KMS plugins over a unix socket (https://kubernetes.io/docs/tasks/administer-cluster/kms-provider/).
// @ts-types="../grpc/grpc.d.ts"
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import protobuf from "protobufjs";

const root = protobuf.parse(`
  syntax = "proto3";
  message StatusRequest {}
  message StatusResponse { string version = 1; string healthz = 2; string keyId = 3; }
  message DecryptRequest { bytes ciphertext = 1; string uid = 2; string keyId = 3; map<string, bytes> annotations = 4; }
  message DecryptResponse { bytes plaintext = 1; }
  message EncryptRequest { bytes plaintext = 1; string uid = 2; }
  message EncryptResponse { bytes ciphertext = 1; string keyId = 2; map<string, bytes> annotations = 3; }
  message EncryptedObject {
    bytes encryptedData = 1; string keyId = 2; bytes encryptedDekSource = 3; map<string, bytes> annotations = 4;
    int32 encryptedDekSourceType = 5;
  }
`).root;

export type Annotations = Readonly<Record<string, Uint8Array>>;

export interface KmsStatus {
  version: string;
  healthz: string;
  keyId: string;
}

/** A value as it is stored: the data, and what a plugin needs to give the key of it. */
export interface EncryptedObject {
  encryptedData: Uint8Array;
  keyId: string;
  encryptedDekSource: Uint8Array;
  annotations: Annotations;
  encryptedDekSourceType: number;
}

/** `encryptedDekSourceType`: the plaintext is a seed that each value's key is derived from; 0 is a key of AES-GCM. */
export const DEK_SEED = 1;

const TO_OBJECT = { defaults: true, objects: true, longs: Number };

export function encodeObject(object: EncryptedObject): Uint8Array {
  return root.lookupType("EncryptedObject").encode(object).finish();
}

/** Throws an Error when the bytes are no such object. */
export function decodeObject(bytes: Uint8Array): EncryptedObject {
  const type = root.lookupType("EncryptedObject");
  return type.toObject(type.decode(bytes), TO_OBJECT) as EncryptedObject;
}

export interface KmsServiceOptions {
  /** Milliseconds that the plugin has for an answer. */
  timeout: number;
  /** Told of each call once it is done. */
  onCall?: (method: string, seconds: number, error?: unknown) => void;
}

/** One plugin. Calls throw grpc's errors. */
export class KmsService {
  readonly #client: Client;
  readonly #options: KmsServiceOptions;

  /** @param endpoint `unix:///run/kms.sock`; a socket in the abstract namespace begins with `@` */
  constructor(endpoint: string, options: KmsServiceOptions) {
    const { pathname } = new URL(endpoint);
    const address = pathname.startsWith("/@") ? `unix-abstract:${pathname.slice(2)}` : `unix://${pathname}`;
    this.#client = new Client(address, credentials.createInsecure(), { "grpc.max_reconnect_backoff_ms": 1000 });
    this.#options = options;
  }

  status(): Promise<KmsStatus> {
    return this.#call("Status", {});
  }

  async decrypt(request: { ciphertext: Uint8Array; keyId: string; annotations: Annotations }): Promise<Uint8Array> {
    const { plaintext } = await this.#call<{ plaintext: Uint8Array }>("Decrypt", {
      ...request,
      uid: crypto.randomUUID(),
    });
    return plaintext;
  }

  encrypt(plaintext: Uint8Array): Promise<{ ciphertext: Uint8Array; keyId: string; annotations: Annotations }> {
    return this.#call("Encrypt", { plaintext, uid: crypto.randomUUID() });
  }

  close(): void {
    this.#client.close();
  }

  #call<Response>(method: string, request: object): Promise<Response> {
    const asked = root.lookupType(`${method}Request`), answered = root.lookupType(`${method}Response`);
    const path = `/v2.KeyManagementService/${method}`, { timeout, onCall } = this.#options, start = performance.now();
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        (message) => asked.encode(message).finish(),
        (bytes) => answered.toObject(answered.decode(bytes), TO_OBJECT) as Response,
        request,
        new Metadata(),
        { deadline: Date.now() + timeout },
        (error, response) => {
          onCall?.(path, (performance.now() - start) / 1000, error ?? undefined);
          if (error === null) resolve(response!);
          else reject(error);
        },
      );
    });
  }
}
