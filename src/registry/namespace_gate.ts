// Keeps the creation of objects in a namespace and the namespace's deletion apart: while something is being written into
// it, a namespace is not marked as terminating, so that whoever empties it afterwards finds everything.

interface Passage {
  /** Writes that are going on. */
  inside: number;
  /** Set while the namespace is being marked, or waits for that. */
  closed?: { opened: Promise<void>; open(): void; drained?(): void };
}

export class NamespaceGate {
  /** Namespaces with something going on. */
  readonly #passages = new Map<string, Passage>();

  /** Enters for one write; `leave` has to follow. Waits while the namespace is being marked. */
  enter(namespace: string): void | Promise<void> {
    const passage = this.#passage(namespace);
    if (passage.closed === undefined) passage.inside++;
    else return passage.closed.opened.then(() => this.enter(namespace));
  }

  leave(namespace: string): void {
    const passage = this.#passages.get(namespace)!;
    passage.inside--;
    if (passage.inside === 0) passage.closed?.drained?.();
    this.#forget(namespace, passage);
  }

  /** Resolves once nobody is inside; nobody enters until what comes back is called. */
  async close(namespace: string): Promise<() => void> {
    for (let busy; (busy = this.#passages.get(namespace)?.closed) !== undefined;) await busy.opened;
    const passage = this.#passage(namespace);
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const closed: Passage["closed"] = passage.closed = { opened, open };
    if (passage.inside > 0) await new Promise<void>((resolve) => closed!.drained = resolve);
    return () => {
      passage.closed = undefined;
      open();
      this.#forget(namespace, passage);
    };
  }

  #passage(namespace: string): Passage {
    let passage = this.#passages.get(namespace);
    if (passage === undefined) this.#passages.set(namespace, passage = { inside: 0 });
    return passage;
  }

  #forget(namespace: string, passage: Passage): void {
    if (passage.inside === 0 && passage.closed === undefined) this.#passages.delete(namespace);
  }
}
