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
  /** "" for values that are stored as they are. */
  prefix: string;
  transformer: Transformer;
}

export type TransformationType = "from_storage" | "to_storage";

/** Told of each use of the transformer behind a prefix, `unknown` when no prefix fits. */
export type Observe = (type: TransformationType, prefix: string, seconds: number, error?: unknown) => void;

const ENCRYPTED = new TextEncoder().encode("k8s:enc:");

/** Whether a value says of itself that it is encrypted. */
export function isEncrypted(stored: Uint8Array): boolean {
  return startsWith(stored, ENCRYPTED);
}

/** Values as they are; refuses what is encrypted. */
export const IDENTITY: Transformer = {
  open(stored) {
    if (isEncrypted(stored)) throw new Error("identity transformer tried to read encrypted data");
    return { value: stored, stale: false };
  },
  seal: (value) => value,
};

/** The first one writes, and every one reads what has its prefix. */
export function union(
  transformers: readonly Prefixed[],
  { noMatch, observe }: { noMatch: string; observe?: Observe },
): Transformer {
  const members = transformers.map(({ prefix, transformer }) => ({
    prefix: new TextEncoder().encode(prefix),
    transformer: prefix === "" || observe === undefined ? transformer : observed(transformer, prefix, observe),
  }));
  const [first] = members;
  return {
    open(stored, context) {
      try {
        return openByPrefix(members, stored, context, noMatch);
      } catch (error) {
        if (error instanceof NoMatch) observe?.("from_storage", "unknown", 0, error);
        throw error;
      }
    },
    seal(value, context) {
      const sealed = first.transformer.seal(value, context);
      return sealed instanceof Promise
        ? sealed.then((bytes) => concat(first.prefix, bytes))
        : concat(first.prefix, sealed);
    },
  };
}

function observed(transformer: Transformer, prefix: string, observe: Observe): Transformer {
  function timed<T>(type: TransformationType, run: () => T | Promise<T>): T | Promise<T> {
    const start = performance.now();
    const told = (error?: unknown) => observe(type, prefix, (performance.now() - start) / 1000, error);
    const failed = (error: unknown) => {
      told(error);
      throw error;
    };
    const done = (result: T) => {
      told();
      return result;
    };
    try {
      const result = run();
      return result instanceof Promise ? result.then(done, failed) : done(result);
    } catch (error) {
      return failed(error);
    }
  }
  return {
    open: (stored, context) => timed("from_storage", () => transformer.open(stored, context)),
    seal: (value, context) => timed("to_storage", () => transformer.seal(value, context)),
  };
}

/** Values with a prefix that nobody has. */
class NoMatch extends Error {}

interface Member {
  prefix: Uint8Array;
  transformer: Transformer;
}

function openByPrefix(
  members: readonly Member[],
  stored: Uint8Array,
  context: Uint8Array,
  noMatch: string,
): Opened | Promise<Opened> {
  const errors: Error[] = [];
  // Two providers may have keys of the same name: whoever can read it does.
  const next = (from: number): Opened | Promise<Opened> => {
    const i = members.findIndex(({ prefix }, n) => n >= from && startsWith(stored, prefix));
    if (i < 0) {
      if (errors.length === 0) throw new NoMatch(noMatch);
      throw new Error(errors.map((e) => e.message).join(", "), { cause: errors[0] });
    }
    const { prefix, transformer } = members[i];
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
