// Work on many items, some of them at once.

/** Does the work for each item, for at most `atOnce` of them at once. */
export async function sideBySide<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const goOn = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, goOn));
}
