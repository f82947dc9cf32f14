// The fields that both sides remember (RFC 7541, section 2.3.2): new ones at the front, old ones fall off the end.

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** What an entry costs beside its characters (section 4.1). */
const OVERHEAD = 32;

function fieldSize({ name, value }: HeaderField): number {
  return name.length + value.length + OVERHEAD;
}

export class DynamicTable {
  /** Oldest first; those before `#first` have fallen off. */
  #fields: HeaderField[] = [];
  #first = 0;
  #size = 0;
  #limit: number;
  readonly #dropped: (field: HeaderField) => void;

  constructor(limit: number, dropped: (field: HeaderField) => void = () => {}) {
    this.#limit = limit;
    this.#dropped = dropped;
  }

  get length(): number {
    return this.#fields.length - this.#first;
  }

  /** Bytes that the fields may cost together. */
  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#makeRoom(0);
  }

  /** @param index 0 for the newest */
  at(index: number): HeaderField | undefined {
    return index < this.length ? this.#fields[this.#fields.length - 1 - index] : undefined;
  }

  /** Whether there was room for it; without room, all the others are gone as well. */
  add(field: HeaderField): boolean {
    const size = fieldSize(field);
    this.#makeRoom(size);
    if (size > this.#limit) return false;
    this.#fields.push(field);
    this.#size += size;
    return true;
  }

  #makeRoom(wanted: number): void {
    while (this.#size + wanted > this.#limit && this.length > 0) {
      const field = this.#fields[this.#first++];
      this.#size -= fieldSize(field);
      this.#dropped(field);
    }
    if (this.#first > 64 && this.#first > this.#fields.length / 2) {
      this.#fields = this.#fields.slice(this.#first);
      this.#first = 0;
    }
  }
}
