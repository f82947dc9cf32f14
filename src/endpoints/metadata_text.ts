// Cuts the metadata out of an item's ready JSON without parsing it: lists and watches of metadata only.
import type { ObjectMeta } from "../machinery/types.ts";
import type { Item } from "../storage/interface.ts";
import { stringEnd } from "../storage/text.ts";

const QUOTE = 34, OPEN_BRACE = 123, CLOSE_BRACE = 125;
const MEMBER = '"metadata":';

/** The JSON of an item's metadata: the first member behind kind and apiVersion. */
export function metadataText(item: Pick<Item, "text" | "bodyStart">): string {
  const { text, bodyStart } = item;
  if (!text.startsWith(MEMBER, bodyStart)) return JSON.stringify(JSON.parse(text).metadata ?? {});
  const start = bodyStart + MEMBER.length;
  return text.slice(start, endOfObject(text, start));
}

/** The JSON of the metadata that a kind shows alone. */
export function partialMetadataText(
  { partialMetadata }: { partialMetadata?(metadata: ObjectMeta): ObjectMeta },
  item: Pick<Item, "text" | "bodyStart">,
): string {
  const text = metadataText(item);
  return partialMetadata === undefined ? text : JSON.stringify(partialMetadata(JSON.parse(text)));
}

/** Where the object that begins at `start` ends. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = stringEnd(text, i) - 1;
        break;
      case OPEN_BRACE:
        depth++;
        break;
      case CLOSE_BRACE:
        if (--depth === 0) return i + 1;
    }
  }
  throw new SyntaxError("an item's metadata does not end");
}
