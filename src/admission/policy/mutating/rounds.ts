// Which policies run again when the chain does: those that ask for it and have run before somebody changed the object.
import { sameJson } from "../../../machinery/apply/mod.ts";
import { clone } from "../../../machinery/clone.ts";
import type { Json } from "../../../machinery/types.ts";
import type { AdmissionAttributes } from "../../interface.ts";

const PLUGIN = "MutatingAdmissionPolicy";

export class Rounds {
  /** Have run since the object changed last. */
  readonly #invoked = new Set<string>();
  readonly #again = new Set<string>();
  #left: Json | undefined;
  #patched = false;

  private constructor(readonly attributes: AdmissionAttributes) {}

  /** The memory that the request's rounds share. */
  static of(attributes: AdmissionAttributes): Rounds {
    const { memory } = attributes.reinvocation, known = memory.get(PLUGIN);
    if (known instanceof Rounds) return known;
    const rounds = new Rounds(attributes);
    memory.set(PLUGIN, rounds);
    return rounds;
  }

  begin(): void {
    this.#patched = false;
    const { object, reinvocation } = this.attributes;
    if (reinvocation.isReinvoke && !sameJson(this.#left, object as Json | undefined)) this.#requireAgain();
  }

  end(): void {
    if (this.#patched) this.changed();
    this.#left = clone(this.attributes.object) as Json | undefined;
  }

  /** Whether a policy's turn has come. */
  mayRun(key: string): boolean {
    return !this.attributes.reinvocation.isReinvoke || this.#again.has(key);
  }

  invoked(key: string): void {
    this.#invoked.add(key);
  }

  /** A policy has done something, be it that the object looks as before. */
  patched(): void {
    this.#patched = true;
  }

  /** A policy has changed the object. */
  changed(): void {
    this.#requireAgain();
    this.attributes.reinvocation.shouldReinvoke = true;
  }

  #requireAgain(): void {
    for (const key of this.#invoked) this.#again.add(key);
    this.#invoked.clear();
  }
}
