// Node ports: which are taken, and which come next (KEP-3668: the lower band is left to ports asked for by number).

/** Random tries before the whole range is searched. */
const BAND_MIN = 16, BAND_MAX = 128;

export class PortTakenError extends Error {}

/** Kept in memory, filled from the services at start; one process is the only one to give ports out. */
export class PortAllocator {
  readonly #taken = new Set<number>();
  readonly #band: number;

  /** Ports `first` … `last`, both included. */
  constructor(readonly first: number, readonly last: number) {
    const size = last - first + 1;
    this.#band = size <= BAND_MIN ? 0 : Math.min(Math.max(Math.floor(size / 32), BAND_MIN), BAND_MAX);
  }

  has(port: number): boolean {
    return port >= this.first && port <= this.last;
  }

  /** Throws PortTakenError with the API's words. */
  allocate(port: number): void {
    if (!this.has(port)) {
      throw new PortTakenError(
        `provided port is not in the valid range. The range of valid ports is ${this.first}-${this.last}`,
      );
    }
    if (this.#taken.has(port)) throw new PortTakenError("provided port is already allocated");
    this.#taken.add(port);
  }

  /** Throws PortTakenError when all are taken. */
  allocateNext(random: () => number = Math.random): number {
    for (const port of this.#candidates(random)) {
      if (this.#taken.has(port)) continue;
      this.#taken.add(port);
      return port;
    }
    throw new PortTakenError("range is full");
  }

  release(port: number): void {
    this.#taken.delete(port);
  }

  *#candidates(random: () => number): Generator<number> {
    yield* scan(this.first + this.#band, this.last, random);
    yield* scan(this.first, this.first + this.#band - 1, random);
  }
}

function* scan(from: number, to: number, random: () => number): Generator<number> {
  const count = to - from + 1;
  if (count <= 0) return;
  const start = Math.floor(random() * count);
  for (let i = 0; i < count; i++) yield from + (start + i) % count;
}

/** What one write takes and gives back: nothing is final before `commit`, `revert` undoes it. */
export class PortOperation {
  readonly #allocated: number[] = [];
  readonly #released: number[] = [];

  constructor(readonly ports: PortAllocator, readonly dryRun: boolean) {}

  allocate(port: number): void {
    if (this.dryRun && this.#allocated.includes(port)) throw new PortTakenError("provided port is already allocated");
    this.ports.allocate(port);
    this.#allocated.push(port);
  }

  allocateNext(): number {
    const port = this.ports.allocateNext();
    this.#allocated.push(port);
    return port;
  }

  /** Gives a port back once the write is done. */
  release(port: number): void {
    this.#released.push(port);
  }

  commit(): void {
    for (const port of this.dryRun ? this.#allocated : this.#released) this.ports.release(port);
  }

  revert(): void {
    for (const port of this.#allocated) this.ports.release(port);
  }
}
