// When a resource is worth being in memory.

/**
 * Objects that are read alone, to be answered or to be changed, before the resource is loaded: the start itself asks for
 * one config map. So many creates are no sign of more, either.
 */
const FEW = 10;
/** Objects of a resource that nobody has read: with more it is not kept in memory. */
const MOST_UNREAD = 5000;

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
    const tooMuch = this.isTooMuch(count);
    // It takes time to count them, and they seldom become fewer.
    if (tooMuch) this.#looksAt = Infinity;
    return count <= 2 * this.#creates && !tooMuch;
  }

  /** Whether so many objects need not be in memory. */
  isTooMuch(count: number): boolean {
    return !this.#read && count > MOST_UNREAD;
  }
}
