// Encryption at rest: the transformers of a configuration, for each resource, and the configuration that takes its place.
import type { GroupResource } from "../../machinery/types.ts";
import { aesCbc, aesGcm } from "./aes.ts";
import { parseEncryptionConfiguration, partsOf, type ProviderConfig } from "./configuration.ts";
import { IDENTITY, type Prefixed, type Transformer, union } from "./transformer.ts";

export { keepReloading } from "./reload.ts";

/** What the KMS plugins behind a configuration have in common with a health check. */
interface Plugin {
  check(): Promise<void>;
  close(): void;
}

/** A configuration in use. */
interface Active {
  text: string;
  /** In the order of the file: the first entry that names a resource is the one that counts. */
  entries: readonly { resources: readonly string[]; transformer: Transformer }[];
  plugins: readonly Plugin[];
}

export interface Encryption {
  transformerFor(resource: GroupResource): Transformer;
  /** How many KMS plugins there are. */
  readonly plugins: number;
  /** Throws what is wrong with a KMS plugin, or with any of them. */
  check(plugin?: number): Promise<void>;
  /**
   * Puts a new configuration in the place of the old one; false when it is the same. Throws an Error when something is
   * wrong with it, and goes on with the old one.
   */
  replace(text: string): Promise<boolean>;
  close(): void;
}

/** Milliseconds that calls of the plugins of a replaced configuration have to end. */
const CLOSE_DELAY = 10_000;

/** @param text an EncryptionConfiguration. Throws an Error that says what is wrong with it. */
export async function createEncryption(text: string): Promise<Encryption> {
  let active = await activate(text);
  return {
    transformerFor: (resource) => active.entries.find((entry) => covers(entry, resource))?.transformer ?? IDENTITY,
    get plugins() {
      return active.plugins.length;
    },
    async check(plugin) {
      const asked = plugin === undefined ? active.plugins : [active.plugins[plugin]];
      for (const one of asked) await one.check();
    },
    async replace(replacement) {
      if (replacement === active.text) return false;
      const next = await activate(replacement);
      try {
        // A plugin that does not answer must not take the place of one that does.
        for (const plugin of next.plugins) await plugin.check();
      } catch (error) {
        close(next);
        throw error;
      }
      const old = active;
      active = next;
      setTimeout(() => close(old), CLOSE_DELAY);
      return true;
    },
    close: () => close(active),
  };
}

function close({ plugins }: Active): void {
  for (const plugin of plugins) plugin.close();
}

async function activate(text: string): Promise<Active> {
  const plugins: Plugin[] = [], entries: { resources: readonly string[]; transformer: Transformer }[] = [];
  for (const { resources, providers } of await parseEncryptionConfiguration(text)) {
    const prefixed: Prefixed[] = [];
    for (const provider of providers) prefixed.push(await prefixedProvider(provider, plugins));
    entries.push({ resources, transformer: union(prefixed, "no matching prefix found") });
  }
  return { text, entries, plugins };
}

function covers({ resources }: { resources: readonly string[] }, { group, resource }: GroupResource): boolean {
  return resources.some((name) => {
    const parts = partsOf(name);
    return parts.group === "*" || (parts.group === group && (parts.resource === "*" || parts.resource === resource));
  });
}

async function prefixedProvider(provider: ProviderConfig, plugins: Plugin[]): Promise<Prefixed> {
  const encoder = new TextEncoder();
  if (provider.type === "identity") return { prefix: new Uint8Array(), transformer: IDENTITY };
  if (provider.type === "kms") {
    // grpc is loaded for those who need it.
    const { KmsProvider } = await import("./kms.ts");
    const plugin = new KmsProvider(provider);
    plugins.push(plugin);
    await plugin.start();
    return { prefix: encoder.encode(`k8s:enc:kms:v2:${provider.name}:`), transformer: plugin };
  }
  const make = provider.type === "secretbox"
    ? (await import("./secretbox.ts")).secretbox
    : { aesgcm: aesGcm, aescbc: aesCbc }[provider.type];
  const keys = provider.keys.map(({ name, secret }) => ({
    prefix: encoder.encode(`${name}:`),
    transformer: make(secret),
  }));
  const noMatch = `no matching key was found for the provided ${NAMES[provider.type]} transformer`;
  return { prefix: encoder.encode(`k8s:enc:${provider.type}:v1:`), transformer: union(keys, noMatch) };
}

const NAMES = { aesgcm: "AES", aescbc: "AES", secretbox: "Secretbox" } as const;
