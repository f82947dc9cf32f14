// When a resource is worth being in memory.

/**
 * Objects that are read alone, to be answered or to be changed, before the resource is loaded: the start itself asks for
 * one config map. So many creates are no sign of more, either.
 */
const FEW = 10;
/** A resource that nobody has read: it is not loaded with more objects, nor kept in memory with more bytes. */
const MOST_UNREAD = { objects: 5000, bytes: 16_000_000 };

export class Demand {
  #reads = 0;
  #creates = 0;
  #looksAt = FEW + 1;
  #read = false;

  /** Somebody has read from it. */
  noteRead(): void {
    this.#read = true;
  }

  /** One object is about to be read from where it is stored; true: the resource should be loaded. */
  noteSingleRead(): boolean {
    this.#read = true;
    return ++this.#reads > FEW;
  }

  /** Loading it failed: it has to be asked for again as often. */
  noteFailure(): void {
    this.#reads = 0;
  }

  /** An object is about to be created while the resource is not in memory; true: it is time to look how many there are. */
  noteCreate(): boolean {
    if (++this.#creates < this.#looksAt) return false;
    this.#looksAt = 2 * this.#creates;
    return true;
  }

  /**
   * Whether to load so many objects because of creates. What is created will be read, and is cheapest to have from the
   * beginning on: no more than two objects are read for each that was created.
   */
  isWorth(count: number): boolean {
    if (!this.#read && count > MOST_UNREAD.objects) {
      this.#lookNoMore();
      return false;
    }
    return count <= 2 * this.#creates;
  }

  /** Whether what is in memory with so many bytes should leave it. */
  isTooMuch(bytes: number): boolean {
    if (this.#read || bytes <= MOST_UNREAD.bytes) return false;
    this.#lookNoMore();
    return true;
  }

  /** It takes time to count many, and they seldom become fewer. */
  #lookNoMore(): void {
    this.#looksAt = Infinity;
  }
}
