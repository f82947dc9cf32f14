// Items: stored text with the revision spliced in, and the labels and fields that selectors look at.
import type { KubeObject } from "../machinery/types.ts";
import type { AttributesOf, Item } from "./interface.ts";

type Attributes = ReturnType<AttributesOf>;

const KEY = '"resourceVersion":"';

/** An item whose text has its resourceVersion at a known place. */
export class StoredItem implements Item {
  readonly bodyStart: number;
  readonly labels: Attributes["labels"];
  readonly fields: Attributes["fields"];

  /** @param digits where the digits of the resourceVersion begin in `text` */
  private constructor(
    readonly key: string,
    readonly revision: number,
    readonly text: string,
    private readonly digits: number,
    attributes: Attributes,
  ) {
    this.bodyStart = text.indexOf('"metadata":{');
    this.labels = attributes.labels;
    this.fields = attributes.fields;
  }

  /**
   * @param stored canonical JSON without a resourceVersion
   * @param hasUid whether metadata has a uid: the resourceVersion's place in the order is right behind it
   */
  static of(
    key: string,
    revision: number,
    stored: string,
    { attributes, hasUid }: { attributes: Attributes; hasUid: boolean },
  ): StoredItem {
    const metadata = stored.indexOf('"metadata":{') + 12;
    if (!hasUid) {
      const comma = stored[metadata] === "}" ? "" : ",";
      const text = `${stored.slice(0, metadata)}${KEY}${revision}"${comma}${stored.slice(metadata)}`;
      return new StoredItem(key, revision, text, metadata + KEY.length, attributes);
    }
    // name, generateName and namespace come before it and hold no quotes, so the first one is the object's own.
    const start = stored.indexOf('"uid":"', metadata) + 7;
    const end = stored.indexOf('"', start) + 1;
    const text = `${stored.slice(0, end)},${KEY}${revision}"${stored.slice(end)}`;
    return new StoredItem(key, revision, text, end + 1 + KEY.length, attributes);
  }

  /** An item out of text alone, as it is read from the log. */
  static parse(key: string, revision: number, stored: string, attributesOf: AttributesOf): StoredItem {
    const object = JSON.parse(stored) as KubeObject;
    return StoredItem.of(key, revision, stored, {
      attributes: attributesOf(object),
      hasUid: object.metadata?.uid !== undefined,
    });
  }

  object(): KubeObject {
    return JSON.parse(this.text);
  }

  withRevision(revision: number): StoredItem {
    const { text, digits } = this;
    const end = text.indexOf('"', digits);
    return new StoredItem(this.key, revision, text.slice(0, digits) + revision + text.slice(end), digits, this);
  }

  /** The text as it is stored: without the resourceVersion. */
  stored(): string {
    const { text, digits } = this;
    const start = digits - KEY.length;
    const end = text.indexOf('"', digits) + 1;
    // The comma goes with it: the one before, or behind where it is the first member.
    if (text[start - 1] === ",") return text.slice(0, start - 1) + text.slice(end);
    return text.slice(0, start) + text.slice(text[end] === "," ? end + 1 : end);
  }
}

/** What goes along with a write of this process, so that the item it becomes is built once, without parsing. */
export class PendingItem {
  #item: StoredItem | undefined;

  constructor(
    readonly key: string,
    readonly stored: string,
    readonly attributes: Attributes,
    readonly hasUid: boolean,
  ) {}

  at(revision: number): StoredItem {
    return this.#item ??= StoredItem.of(this.key, revision, this.stored, this);
  }
}
