// Compaction of etcd by one of all the processes that share it, as kube-apiserver does it, so that both can be among them:
// whoever raises the version of a key first compacts up to the revision that was current an interval ago.
import type { Connection } from "./connection.ts";
import { COMPARE_VERSION, METHODS } from "./messages.ts";

const KEY = new TextEncoder().encode("compact_rev_key");

export interface CompactorOptions {
  /** Milliseconds between compactions. */
  interval: number;
  onCompacted(revision: number): void;
  onTrouble(message: string): void;
}

/** Compacts until it is stopped. */
export function startCompactor(connection: Connection, options: CompactorOptions): { stop(): void } {
  let version = 0, revision = 0;
  const timer = setInterval(async () => {
    try {
      ({ version, revision } = await compactOnce(connection, { version, revision }, options));
    } catch (error) {
      if (!connection.closed) options.onTrouble(`compaction of etcd: ${(error as Error).message}`);
    }
  }, options.interval);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * @param before the version of the key that was seen last, and the revision that was current then
 * @returns the same of now
 */
export async function compactOnce(
  connection: Connection,
  before: { version: number; revision: number },
  { onCompacted }: Pick<CompactorOptions, "onCompacted">,
): Promise<{ version: number; revision: number }> {
  const { response: { succeeded, header, responses } } = await connection.call(METHODS.txn, {
    compare: [{ target: COMPARE_VERSION, key: KEY, version: before.version }],
    success: [{ requestPut: { key: KEY, value: new TextEncoder().encode(String(before.revision)) } }],
    failure: [{ requestRange: { key: KEY } }],
  });
  const { revision } = header;
  if (!succeeded) {
    const [stored] = responses[0].responseRange!.kvs;
    onCompacted(Number(new TextDecoder().decode(stored.value)));
    return { version: stored.version, revision };
  }
  if (before.revision > 0) {
    await connection.call(METHODS.compact, { revision: before.revision });
    onCompacted(before.revision);
  }
  return { version: before.version + 1, revision };
}
