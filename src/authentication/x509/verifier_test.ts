import "reflect-metadata";
import assert from "node:assert/strict";
import { BasicConstraintsExtension, Extension, X509CertificateGenerator } from "@peculiar/x509";
import { parseCertificate } from "./certificate.ts";
import { certificateVerifier } from "./verifier.ts";

const HOUR = 3_600_000;
const ALGORITHM = { name: "ECDSA", hash: "SHA-256", namedCurve: "P-256" };
const ALTERNATIVE_NAMES = "2.5.29.17", NAME_CONSTRAINTS = "2.5.29.30", UNKNOWN = "1.2.3.4";
const DNS = 0x82, DIRECTORY = 0xa4, IP = 0x87, PERMITTED = 0xa0, EXCLUDED = 0xa1, SEQUENCE = 0x30;

type ExtensionValue = [oid: string, value: Uint8Array, critical?: boolean];

interface Issued {
  name: string;
  keys: CryptoKeyPair;
  der: Uint8Array;
}

interface Options {
  issuer?: Issued;
  /** An authority: how many may be below it. */
  pathLength?: number;
  extensions?: ExtensionValue[];
}

async function issue(name: string, { issuer, pathLength, extensions = [] }: Options): Promise<Issued> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as CryptoKeyPair;
  const { rawData } = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: `CN=${issuer?.name ?? name}`,
    notBefore: new Date(Date.now() - HOUR),
    notAfter: new Date(Date.now() + HOUR),
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(pathLength !== undefined, pathLength, true),
      ...extensions.map(([oid, value, critical = true]) => new Extension(oid, critical, value as BufferSource)),
    ],
  });
  return { name, keys, der: new Uint8Array(rawData) };
}

function der(tag: number, ...parts: (Uint8Array | string)[]): Uint8Array {
  const bytes = parts.flatMap((part) => [...(typeof part === "string" ? new TextEncoder().encode(part) : part)]);
  return Uint8Array.from([tag, bytes.length, ...bytes]);
}

function limits(tag: number, ...names: Uint8Array[]): ExtensionValue {
  return [NAME_CONSTRAINTS, der(SEQUENCE, der(tag, ...names.map((name) => der(SEQUENCE, name))))];
}

function named(...names: Uint8Array[]): ExtensionValue {
  return [ALTERNATIVE_NAMES, der(SEQUENCE, ...names), false];
}

/** Its subject, as far as the chain leads to the root. */
function verify(root: Issued, ...chain: Issued[]): string {
  const trusted = [parseCertificate(root.der)];
  return certificateVerifier({ current: () => trusted })(chain.map((each) => each.der)).subject.get("2.5.4.3")![0];
}

Deno.test("an authority has no more below it than it may", async () => {
  const root = await issue("root", { pathLength: 1 });
  const middle = await issue("middle", { issuer: root, pathLength: 5 });
  const last = await issue("last", { issuer: middle, pathLength: 0 });
  assert.equal(verify(root, await issue("jane", { issuer: middle }), middle), "jane");
  const deep = await issue("jane", { issuer: last });
  assert.equal(verify(middle, deep, last), "jane");
  assert.throws(() => verify(root, deep, last, middle), /too many intermediates/);
});

Deno.test("an authority signs for the names that it may", async () => {
  const root = await issue("root", { pathLength: 3 });
  const dns = (name: string) => named(der(DNS, name));
  const cases: [limit: ExtensionValue, leaf: ExtensionValue[], good: boolean][] = [
    [limits(PERMITTED, der(DNS, "example.com")), [], true],
    [limits(PERMITTED, der(DNS, "example.com")), [dns("a.Example.com")], true],
    [limits(PERMITTED, der(DNS, "example.com")), [dns("example.com")], true],
    [limits(PERMITTED, der(DNS, "example.com")), [dns("badexample.com")], false],
    [limits(PERMITTED, der(DNS, "a.com"), der(DNS, "b.com")), [dns("x.b.com")], true],
    [limits(PERMITTED, der(DNS, "example.com")), [named(der(DNS, "example.com"), der(DNS, "other.org"))], false],
    [limits(EXCLUDED, der(DNS, "example.com")), [dns("other.org")], true],
    [limits(EXCLUDED, der(DNS, "example.com")), [dns("a.example.com")], false],
    [
      limits(PERMITTED, der(IP, Uint8Array.of(10, 0, 0, 0, 255, 0, 0, 0))),
      [named(der(IP, Uint8Array.of(10, 1, 2, 3)))],
      true,
    ],
    [
      limits(PERMITTED, der(IP, Uint8Array.of(10, 0, 0, 0, 255, 0, 0, 0))),
      [named(der(IP, Uint8Array.of(11, 1, 2, 3)))],
      false,
    ],
  ];
  for (const [index, [limit, extensions, good]] of cases.entries()) {
    const middle = await issue("middle", { issuer: root, pathLength: 0, extensions: [limit] });
    const leaf = await issue("jane", { issuer: middle, extensions });
    if (good) assert.equal(verify(root, leaf, middle), "jane", `case ${index}`);
    else assert.throws(() => verify(root, leaf, middle), /not authorized to sign for this name/, `case ${index}`);
  }
});

Deno.test("who says something critical that is not understood is refused", async () => {
  const root = await issue("root", { pathLength: 3 });
  const refused = /unhandled critical extension/;
  const critical = await issue("jane", { issuer: root, extensions: [[UNKNOWN, der(4)]] });
  assert.throws(() => verify(root, critical), refused);
  const optional = await issue("jane", { issuer: root, extensions: [[UNKNOWN, Uint8Array.of(0xff), false]] });
  assert.equal(verify(root, optional), "jane");
  const extensions = [limits(PERMITTED, der(DIRECTORY, der(SEQUENCE)))];
  const middle = await issue("middle", { issuer: root, pathLength: 0, extensions });
  const leaf = await issue("jane", { issuer: middle });
  assert.throws(() => verify(root, leaf, middle), refused);
});
