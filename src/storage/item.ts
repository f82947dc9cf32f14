// Stored objects as the layers above see them.
import { parseExactly } from "../machinery/big_integers.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { Item } from "./interface.ts";
import { type TextLayout, withoutVersion, withVersion } from "./text.ts";

/** Labels and selectable fields. */
export type Attributes = Pick<Item, "labels" | "fields">;

/** An item that remembers where its resourceVersion is. */
export class StoredItem implements Item, TextLayout {
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly bodyStart: number;
  readonly versionStart: number;
  /** Stored in another form than it would be now: writing the same object changes something. */
  stale?: boolean;

  constructor(
    readonly key: string,
    readonly revision: number,
    readonly text: string,
    layout: TextLayout,
    attributes: Attributes,
  ) {
    this.bodyStart = layout.bodyStart;
    this.versionStart = layout.versionStart;
    this.labels = attributes.labels;
    this.fields = attributes.fields;
  }

  /** Out of the text as it is stored. */
  static fromStored(key: string, revision: number, stored: string, layout: TextLayout, attributes: Attributes) {
    return new StoredItem(key, revision, withVersion(stored, layout.versionStart, revision), layout, attributes);
  }

  object(): KubeObject {
    return parseExactly(this.text);
  }

  /** The text as it is stored. */
  stored(): string {
    return withoutVersion(this.text, this.versionStart, this.revision);
  }

  /** The same object at another revision: what a DELETED event shows. */
  withRevision(revision: number): StoredItem {
    return StoredItem.fromStored(this.key, revision, this.stored(), this, this);
  }
}
