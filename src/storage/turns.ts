// Long work in pieces: whatever has come in meanwhile goes first.

/** Milliseconds that others are held up at most, unless one step alone takes longer. */
const LONGEST = 4;

/** Asked before each step of a long piece of work. */
export class Turns {
  #end = performance.now() + LONGEST;

  /** Whether it is the others' turn. */
  get over(): boolean {
    return performance.now() >= this.#end;
  }

  /** A timer, because sockets are not looked at for as long as there is something to be done at once. */
  async othersFirst(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#end = performance.now() + LONGEST;
  }
}
