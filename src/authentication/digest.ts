// Digests of secrets to look them up by: what is kept does not give the secret away, and how long a look-up takes says
// nothing about it.
import { hash } from "node:crypto";

/** SHA-256 behind a random key of its own. */
export function keyedDigest(): (text: string) => string {
  const key = crypto.randomUUID() + crypto.randomUUID();
  return (text) => hash("sha256", key + text, "base64");
}
