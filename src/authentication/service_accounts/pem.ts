// Keys of service account tokens in PEM files.
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

/** Every key of a file as public keys: private ones and certificates give theirs. Throws when there is none. */
export function keysOf(pem: string): KeyObject[] {
  const blocks = pem.match(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g) ?? [];
  const keys = blocks.filter((block) => !block.includes("EC PARAMETERS")).map((block) => {
    if (block.includes("PRIVATE KEY")) return createPublicKey(createPrivateKey(block) as unknown as string);
    if (block.includes("BEGIN CERTIFICATE")) return new X509Certificate(block).publicKey;
    return createPublicKey(block);
  });
  if (keys.length === 0) throw new Error("holds neither private nor public keys");
  return keys;
}

/** The private key that signs tokens: RSA or ECDSA. Throws when the file holds none. */
export function signingKeyOf(pem: string): KeyObject {
  const block = pem.match(/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[\s\S]+?-----END (?:[A-Z]+ )?PRIVATE KEY-----/)?.[0];
  if (block === undefined) throw new Error("holds no private key");
  const key = createPrivateKey(block);
  const type = key.asymmetricKeyType;
  if (type !== "rsa" && type !== "ec") throw new Error(`the private key must be RSA or ECDSA, not ${type}`);
  return key;
}
