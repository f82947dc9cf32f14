// Sorting of what is nearly always in order already, or short.

/** Up to so many are put in order one by one, which is faster than to ask for it. */
const FEW = 16;

/** Sorts in place. What is in order already, as most is, is only looked at. */
export function inOrder<T>(list: T[], compare: (a: T, b: T) => number): T[] {
  for (let i = 1; i < list.length; i++) {
    const one = list[i];
    if (compare(list[i - 1], one) <= 0) continue;
    if (list.length > FEW) return list.sort(compare);
    let at = i;
    do list[at] = list[--at]; while (at > 0 && compare(list[at - 1], one) > 0);
    list[at] = one;
  }
  return list;
}
