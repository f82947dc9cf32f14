// Encryption at rest: the transformers of a configuration, for each resource, and the configuration that takes its place.
import { formatGroupResource, type GroupResource } from "../../machinery/types.ts";
import { aesCbc, aesGcm } from "./aes.ts";
import { parseEncryptionConfiguration, partsOf, type ProviderConfig } from "./configuration.ts";
import type { EncryptionMeasures } from "./measures.ts";
import { IDENTITY, type Observe, type Prefixed, type Transformer, union } from "./transformer.ts";

export { encryptionMeasures } from "./measures.ts";
export { keepReloading } from "./reload.ts";

/** What the KMS plugins behind a configuration have in common with a health check. */
interface Plugin {
  check(): Promise<void>;
  close(): void;
}

/** A provider for the values of one resource. */
type Provider = (observe?: Observe) => Prefixed;

interface Entry {
  resources: readonly string[];
  providers: readonly Provider[];
}

/** A configuration in use. */
interface Active {
  text: string;
  /** In the order of the file: the first entry that names a resource is the one that counts. */
  entries: readonly Entry[];
  /** Those that were asked for, by the names of their resources. */
  transformers: Map<string, Transformer>;
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
export async function createEncryption(text: string, measures?: EncryptionMeasures): Promise<Encryption> {
  let active = await activate(text, measures);
  measures?.applied(text);
  return {
    transformerFor(resource) {
      const name = formatGroupResource(resource), { entries, transformers } = active;
      let transformer = transformers.get(name);
      if (transformer === undefined) {
        const entry = entries.find((entry) => covers(entry, resource));
        transformers.set(name, transformer = transformerOf(entry, measures?.transformed(resource)));
      }
      return transformer;
    },
    get plugins() {
      return active.plugins.length;
    },
    async check(plugin) {
      const asked = plugin === undefined ? active.plugins : [active.plugins[plugin]];
      for (const one of asked) await one.check();
    },
    async replace(replacement) {
      if (replacement === active.text) return false;
      const next = await activateChecked(replacement, measures).catch((error) => {
        measures?.reloaded("failure");
        throw error;
      });
      measures?.reloaded("success");
      measures?.applied(replacement);
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

async function activate(text: string, measures: EncryptionMeasures | undefined): Promise<Active> {
  const plugins: Plugin[] = [], entries: Entry[] = [];
  for (const { resources, providers } of await parseEncryptionConfiguration(text)) {
    const made: Provider[] = [];
    for (const provider of providers) made.push(await providerOf(provider, { plugins, measures }));
    entries.push({ resources, providers: made });
  }
  return { text, entries, plugins, transformers: new Map() };
}

/** A plugin that does not answer must not take the place of one that does. */
async function activateChecked(text: string, measures: EncryptionMeasures | undefined): Promise<Active> {
  const next = await activate(text, measures);
  try {
    for (const plugin of next.plugins) await plugin.check();
    return next;
  } catch (error) {
    close(next);
    throw error;
  }
}

function transformerOf(entry: Entry | undefined, observe: Observe | undefined): Transformer {
  if (entry === undefined) return IDENTITY;
  return union(entry.providers.map((provider) => provider(observe)), { noMatch: "no matching prefix found", observe });
}

function covers({ resources }: Entry, { group, resource }: GroupResource): boolean {
  return resources.some((name) => {
    const parts = partsOf(name);
    return parts.group === "*" || (parts.group === group && (parts.resource === "*" || parts.resource === resource));
  });
}

async function providerOf(
  provider: ProviderConfig,
  { plugins, measures }: { plugins: Plugin[]; measures: EncryptionMeasures | undefined },
): Promise<Provider> {
  if (provider.type === "identity") return () => ({ prefix: "", transformer: IDENTITY });
  if (provider.type === "kms") {
    // grpc is loaded for those who need it.
    const { KmsProvider } = await import("./kms.ts");
    const plugin = new KmsProvider(provider, measures?.kms(provider.name));
    plugins.push(plugin);
    await plugin.start();
    return () => ({ prefix: `k8s:enc:kms:v2:${provider.name}:`, transformer: plugin });
  }
  const make = provider.type === "secretbox"
    ? (await import("./secretbox.ts")).secretbox
    : { aesgcm: aesGcm, aescbc: aesCbc }[provider.type];
  const keys = provider.keys.map(({ name, secret }) => ({ prefix: `${name}:`, transformer: make(secret) }));
  const noMatch = `no matching key was found for the provided ${NAMES[provider.type]} transformer`;
  return (observe) => ({ prefix: `k8s:enc:${provider.type}:v1:`, transformer: union(keys, { noMatch, observe }) });
}

const NAMES = { aesgcm: "AES", aescbc: "AES", secretbox: "Secretbox" } as const;
