// Transformers turn values into what is stored and back; prefixes of stored values say which one it was.
// The forms are kube-apiserver's (https://kubernetes.io/docs/tasks/administer-cluster/encrypt-data/).

/** What was stored, in the clear. */
export interface Opened {
  value: Uint8Array;
  /** Whether it would be stored in another way now: with another key, or by another provider. */
  stale: boolean;
}

/** @param context the key of the value in the database, which an authenticated form is bound to */
export interface Transformer {
  open(stored: Uint8Array, context: Uint8Array): Opened | Promise<Opened>;
  seal(value: Uint8Array, context: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

export interface Prefixed {
  prefix: Uint8Array;
  transformer: Transformer;
}

const ENCRYPTED = new TextEncoder().encode("k8s:enc:");

/** Values as they are; refuses what is encrypted. */
export const IDENTITY: Transformer = {
  open(stored) {
    if (startsWith(stored, ENCRYPTED)) throw new Error("identity transformer tried to read encrypted data");
    return { value: stored, stale: false };
  },
  seal: (value) => value,
};

/** The first one writes, and every one reads what has its prefix. */
export function union(transformers: readonly Prefixed[], noMatch: string): Transformer {
  const [first] = transformers;
  return {
    open: (stored, context) => openByPrefix(transformers, stored, context, noMatch),
    seal(value, context) {
      const sealed = first.transformer.seal(value, context);
      return sealed instanceof Promise
        ? sealed.then((bytes) => concat(first.prefix, bytes))
        : concat(first.prefix, sealed);
    },
  };
}

function openByPrefix(
  transformers: readonly Prefixed[],
  stored: Uint8Array,
  context: Uint8Array,
  noMatch: string,
): Opened | Promise<Opened> {
  const errors: Error[] = [];
  // Two providers may have keys of the same name: whoever can read it does.
  const next = (from: number): Opened | Promise<Opened> => {
    const i = transformers.findIndex(({ prefix }, n) => n >= from && startsWith(stored, prefix));
    if (i < 0) throw new Error(errors.length > 0 ? errors.map((e) => e.message).join(", ") : noMatch);
    const { prefix, transformer } = transformers[i];
    const done = ({ value, stale }: Opened) => ({ value, stale: stale || i > 0 });
    const failed = (error: unknown) => {
      errors.push(error as Error);
      return next(i + 1);
    };
    try {
      const opened = transformer.open(stored.subarray(prefix.length), context);
      return opened instanceof Promise ? opened.then(done, failed) : done(opened);
    } catch (error) {
      return failed(error);
    }
  };
  return next(0);
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, i) => bytes[i] === byte);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
