// The documents as they are served: worked out when first asked for, dropped when memory is wanted.
import { createHash } from "node:crypto";
import { MODEL_TEXT } from "../../apis/generated/model.ts";
import type { JsonObject } from "../types.ts";
import { loadDescriptions } from "./descriptions.ts";
import { builtinDocumentsV3, openapiV2, openapiV3 } from "./mod.ts";

/** One served document. */
export interface ServedDocument {
  /** Changes with the text. */
  hash(): string;
  /** JSON. */
  text(): Promise<string>;
}

export interface ServedDocuments {
  v2(): ServedDocument;
  /** By path below /openapi/v3: `api/v1`, `apis/apps/v1`, `version`. */
  v3(): ReadonlyMap<string, ServedDocument>;
}

/** The documents of the built-in resources, with descriptions where they can be had. */
export function builtinDocuments(): ServedDocuments {
  let v2: ServedDocument | undefined, v3: Map<string, ServedDocument> | undefined;
  return {
    v2: () => v2 ??= document("v2", async () => await openapiV2(await loadDescriptions())),
    v3: () =>
      v3 ??= new Map(
        builtinDocumentsV3().map((name) => [
          name,
          document(name, async () => {
            return (await openapiV3(name, await loadDescriptions()))!;
          }),
        ]),
      ),
  };
}

function document(name: string, make: () => Promise<JsonObject>): ServedDocument {
  let kept: WeakRef<{ text: string }> | undefined, hash: string | undefined;
  return {
    hash: () => hash ??= fingerprint(name),
    async text() {
      const known = kept?.deref();
      if (known !== undefined) return known.text;
      const made = { text: JSON.stringify(await make()) };
      kept = new WeakRef(made);
      return made.text;
    },
  };
}

/** Raised when documents are made in another way out of the same model. */
const FORM = 1;

/** Documents follow from the model, so that their hashes can be told before they are made. */
function fingerprint(name: string): string {
  return createHash("sha512").update(`${FORM}\n${name}\n`).update(MODEL_TEXT).digest("hex").toUpperCase();
}
