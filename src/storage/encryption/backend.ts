// A backend whose values are encrypted, for one resource.
import { ForwardingBackend } from "../forwarding.ts";
import type { Backend, BackendWatch, Change, KeyValue, Value, WriteResult } from "../interface.ts";
import { Turns } from "../turns.ts";
import { bytesOf, valueOf } from "../value.ts";
import type { Opened, Transformer } from "./transformer.ts";

const encoder = new TextEncoder();

export interface EncryptionOptions {
  /** The one of this moment: a configuration may be replaced. */
  transformer(): Transformer;
  /** The key of a value as it stands in the database. */
  contextOf(key: string): string;
}

export class EncryptedBackend extends ForwardingBackend {
  readonly #options: EncryptionOptions;
  /** Watches with changes that wait for their keys. */
  #waiting = 0;

  constructor(backend: Backend, options: EncryptionOptions) {
    super(backend);
    this.#options = options;
  }

  override async put(key: string, value: Value, options: Parameters<Backend["put"]>[2]): Promise<WriteResult> {
    const sealed = await this.#options.transformer().seal(bytesOf(value), this.#context(key));
    return await this.#result(await super.put(key, valueOf(sealed), options));
  }

  override async delete(key: string, options: Parameters<Backend["delete"]>[1]): Promise<WriteResult> {
    return await this.#result(await super.delete(key, options));
  }

  override async get(key: string): Promise<KeyValue | undefined> {
    const found = await super.get(key);
    return found && await this.#open(found);
  }

  override async range(...request: Parameters<Backend["range"]>): ReturnType<Backend["range"]> {
    const { items, ...rest } = await super.range(...request);
    const opened: KeyValue[] = [], turns = new Turns();
    for (const item of items) {
      if (turns.over) await turns.othersFirst();
      opened.push(await this.#open(item));
    }
    return { items: opened, ...rest };
  }

  override watch(
    prefix: string,
    after: number,
    onChanges: (changes: readonly Change[], upTo: number) => void,
    onEnd: (error?: Error) => void,
    options?: { previous?: boolean },
  ): BackendWatch {
    let told = after;
    let queue: Promise<void> | undefined;
    const tell = (changes: readonly Change[], upTo: number) => {
      told = Math.max(told, upTo);
      onChanges(changes, upTo);
    };
    const fail = (error: unknown) => {
      watch.stop();
      onEnd(error as Error);
    };
    const handle = (changes: readonly Change[], upTo: number) => {
      try {
        const opened = changes.map((change) => this.#openChange(change));
        if (queue === undefined && !opened.some((change) => change instanceof Promise)) {
          return tell(opened as Change[], upTo);
        }
        this.#waiting++;
        const mine: Promise<void> = Promise.all([Promise.all(opened), queue]).then(([all]) => tell(all, upTo))
          .catch(fail).finally(() => {
            this.#waiting--;
            if (queue === mine) queue = undefined;
          });
        queue = mine;
      } catch (error) {
        fail(error);
      }
    };
    const watch = super.watch(prefix, after, handle, onEnd, options);
    return {
      stop: () => watch.stop(),
      progress: () => queue === undefined ? watch.progress() : told,
      requestProgress: () => watch.requestProgress?.(),
    };
  }

  /** Unknown as long as changes wait for their keys. */
  override get appliedRevision(): number | undefined {
    return this.#waiting === 0 ? super.appliedRevision : undefined;
  }

  #context(key: string): Uint8Array {
    return encoder.encode(this.#options.contextOf(key));
  }

  #openValue(key: string, value: Value): Opened | Promise<Opened> {
    return this.#options.transformer().open(bytesOf(value), this.#context(key));
  }

  async #open({ key, value, revision }: KeyValue): Promise<KeyValue> {
    const opened = await this.#openValue(key, value);
    return { key, revision, value: valueOf(opened.value), stale: opened.stale };
  }

  async #result(result: WriteResult): Promise<WriteResult> {
    if (result.ok || result.current === undefined) return result;
    return { ok: false, current: await this.#open(result.current) };
  }

  #openChange(change: Change): Change | Promise<Change> {
    const { key, value, prevValue } = change;
    // What a delete has for a value is the one before, or nothing.
    const opened = value === "" ? undefined : this.#openValue(key, value);
    const before = prevValue === undefined || prevValue === value ? undefined : this.#openValue(key, prevValue);
    const whole = (now: Opened | undefined, then: Opened | undefined): Change => {
      const plain = now === undefined ? "" : valueOf(now.value);
      const plainBefore = prevValue === value ? plain : then && valueOf(then.value);
      return {
        ...change,
        value: plain,
        prevValue: prevValue === undefined ? undefined : plainBefore,
        stale: now?.stale,
      };
    };
    if (!(opened instanceof Promise) && !(before instanceof Promise)) return whole(opened, before);
    return Promise.all([opened, before]).then(([now, then]) => whole(now, then));
  }
}
