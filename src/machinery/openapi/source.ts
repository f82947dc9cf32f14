// The documents as they are served: worked out when first asked for, dropped when memory is wanted.
import { createHash } from "node:crypto";
import { MODEL_TEXT } from "../../facts/generated/model.ts";
import type { JsonObject } from "../types.ts";
import { loadDescriptions } from "./descriptions.ts";
import { type CustomDefinition, customDocumentV3 } from "./custom.ts";
import { builtinDocumentsV3, openapiV2, openapiV3 } from "./mod.ts";
import { builtinSchemas } from "./schemas.ts";

/** One served document. */
export interface ServedDocument {
  /** Changes with the text. */
  hash(): string;
  /** JSON. */
  text(): Promise<string>;
  /** The same as bytes; who gets them while others still have them shares their memory. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

export interface ServedDocuments {
  v2(): ServedDocument;
  /** By path below /openapi/v3: `api/v1`, `apis/apps/v1`, `version`. */
  v3(): ReadonlyMap<string, ServedDocument>;
}

/** A version that is published; its schema may be read off when it is asked for. */
export interface PublishedDefinition extends CustomDefinition {
  /** Changes with everything in the definition. */
  readonly fingerprint: string;
}

/** The documents of the built-in resources, and of the custom ones that there are at the time of asking. */
export function createDocuments(customDefinitions: () => readonly PublishedDefinition[] = () => []): ServedDocuments {
  const builtin = new Map(
    builtinDocumentsV3().map((name) => [
      name,
      document(name, async () => {
        return (await openapiV3(name, await loadDescriptions()))!;
      }),
    ]),
  );
  let seen: readonly PublishedDefinition[] | undefined, v2: ServedDocument, v3: ReadonlyMap<string, ServedDocument>;
  const custom = new CustomDocuments();
  const refresh = () => {
    const definitions = customDefinitions();
    if (definitions === seen) return;
    seen = definitions;
    v2 = document(
      `v2${fingerprintsOf(definitions)}`,
      async () => await openapiV2(await loadDescriptions(), definitions),
    );
    v3 = new Map([...builtin, ...custom.of(definitions)]);
  };
  return {
    v2() {
      refresh();
      return v2;
    },
    v3() {
      refresh();
      return v3;
    },
  };
}

function fingerprintsOf(definitions: readonly PublishedDefinition[]): string {
  return definitions.map(({ fingerprint }) => fingerprint).join(" ");
}

interface KnownDocument {
  fingerprints: string;
  document: ServedDocument;
}

/** The documents of custom group versions. One whose definitions are as they were stays. */
class CustomDocuments {
  #known = new Map<string, KnownDocument>();

  of(definitions: readonly PublishedDefinition[]): [name: string, document: ServedDocument][] {
    const present = new Map<string, KnownDocument>();
    const byVersion = Map.groupBy(definitions, ({ group, version }) => `apis/${group}/${version}`);
    for (const [name, own] of byVersion) {
      const fingerprints = fingerprintsOf(own), known = this.#known.get(name);
      present.set(
        name,
        known?.fingerprints === fingerprints ? known : {
          fingerprints,
          document: document(`${name}${fingerprints}`, async () => {
            return customDocumentV3(own, { schemas: await builtinSchemas(), descriptions: await loadDescriptions() });
          }),
        },
      );
    }
    this.#known = present;
    return Array.from(present, ([name, { document }]) => [name, document]);
  }
}

/** @param name what the hash is made of beside the model */
function document(name: string, make: () => Promise<JsonObject>): ServedDocument {
  let kept: WeakRef<{ text: string }> | undefined, hash: string | undefined;
  // The buffer, for what is sent is cut out of it in pieces.
  let encoded: WeakRef<ArrayBuffer> | undefined;
  let making: Promise<string> | undefined;
  async function makeText(): Promise<string> {
    const made = { text: JSON.stringify(await make()) };
    kept = new WeakRef(made);
    return made.text;
  }
  /** Made once for all who ask meanwhile: it takes more memory than what is made. */
  function text(): Promise<string> {
    const known = kept?.deref();
    if (known !== undefined) return Promise.resolve(known.text);
    return making ??= makeText().finally(() => making = undefined);
  }
  return {
    hash: () => hash ??= fingerprint(name),
    text,
    async bytes() {
      const known = encoded?.deref();
      if (known !== undefined) return new Uint8Array(known);
      const made = await text();
      // Another one who waited may have them by now.
      const buffer = encoded?.deref() ?? new TextEncoder().encode(made).buffer;
      encoded = new WeakRef(buffer);
      return new Uint8Array(buffer);
    },
  };
}

/** Raised when documents are made in another way out of the same model. */
const FORM = 1;

let model: string | undefined;

/** Documents follow from the model, so that their hashes can be told before they are made. */
function fingerprint(name: string): string {
  model ??= sha512(`${FORM}\n${MODEL_TEXT}`);
  return sha512(`${model}\n${name}`);
}

function sha512(text: string): string {
  return createHash("sha512").update(text).digest("hex").toUpperCase();
}
