// A KMS plugin (v2) for tests: `deno run -A kms_plugin.ts SOCKET KEYID`. Its "encryption" turns bytes around.
// @ts-types="../../src/storage/grpc/grpc.d.ts"
import { Server, ServerCredentials } from "@grpc/grpc-js";
import protobuf from "protobufjs";

const root = protobuf.parse(`
  syntax = "proto3";
  message StatusRequest {}
  message StatusResponse { string version = 1; string healthz = 2; string keyId = 3; }
  message DecryptRequest { bytes ciphertext = 1; string uid = 2; string keyId = 3; map<string, bytes> annotations = 4; }
  message DecryptResponse { bytes plaintext = 1; }
  message EncryptRequest { bytes plaintext = 1; string uid = 2; }
  message EncryptResponse { bytes ciphertext = 1; string keyId = 2; map<string, bytes> annotations = 3; }
`).root;

export interface KmsPlugin {
  /** What new keys are encrypted with. */
  keyId: string;
  healthz: string;
  /** Keys that were decrypted. */
  decrypted: number;
  close(): void;
}

/** Listens at a socket. */
export async function startKmsPlugin(socket: string, keyId: string): Promise<KmsPlugin> {
  const server = new Server();
  const plugin: KmsPlugin = { keyId, healthz: "ok", decrypted: 0, close: () => server.forceShutdown() };
  const methods: Record<string, (request: Record<string, unknown>) => object> = {
    Status: () => ({ version: "v2", healthz: plugin.healthz, keyId: plugin.keyId }),
    Encrypt: ({ plaintext }) => ({
      ciphertext: (plaintext as Uint8Array).slice().reverse(),
      keyId: plugin.keyId,
      annotations: { "test.example.test": new TextEncoder().encode(plugin.keyId) },
    }),
    Decrypt: ({ ciphertext, keyId, annotations }) => {
      const noted = new TextDecoder().decode((annotations as Record<string, Uint8Array>)["test.example.test"]);
      if (noted !== keyId) throw new Error(`the annotation is ${noted}, the key ${keyId}`);
      plugin.decrypted++;
      return { plaintext: (ciphertext as Uint8Array).slice().reverse() };
    },
  };
  const definitions = Object.fromEntries(
    Object.keys(methods).map((name) => {
      const request = root.lookupType(`${name}Request`), response = root.lookupType(`${name}Response`);
      return [name, {
        path: `/v2.KeyManagementService/${name}`,
        requestStream: false,
        responseStream: false,
        requestDeserialize: (bytes: Uint8Array) => request.toObject(request.decode(bytes), { objects: true }),
        responseSerialize: (message: object) => response.encode(message).finish(),
      }];
    }),
  );
  const handlers = Object.fromEntries(
    Object.entries(methods).map(([name, run]) => [
      name,
      (call: { request: Record<string, unknown> }, callback: (error: Error | null, response?: object) => void) => {
        try {
          callback(null, run(call.request));
        } catch (error) {
          callback(error as Error);
        }
      },
    ]),
  );
  server.addService(definitions, handlers);
  await new Promise<void>((resolve, reject) => {
    const done = (error: Error | null) => error === null ? resolve() : reject(error);
    server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), done);
  });
  return plugin;
}

if (import.meta.main) await startKmsPlugin(Deno.args[0], Deno.args[1]);
