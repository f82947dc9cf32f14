// Sets of completion indexes as text: `0-3,5,7-9` (KEP-2214).
import { goQuote } from "../../machinery/go_text.ts";

/** What is wrong with an interval, or its ends. */
function parseInterval(text: string, completions: number): [number, number] | string {
  const parts = text.split("-");
  if (parts.length > 2) {
    return `the fragment ${
      goQuote(text)
    } violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const ends: number[] = [];
  for (const part of parts) {
    if (!/^[+-]?\d+$/.test(part)) return `cannot convert string to integer for index: ${goQuote(part)}`;
    if (Number(part) >= completions) return `too large index: ${goQuote(part)}`;
    ends.push(Number(part));
  }
  const [first, last = first] = ends;
  if (parts.length === 2 && first >= last) return `non-increasing order, previous: ${first}, current: ${last}`;
  return [first, last];
}

/** How many indexes there are, or what is wrong with the text. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === "") return 0;
  let total = 0, previous: number | undefined;
  for (const part of text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return interval;
    const [first, last] = interval;
    if (previous !== undefined && previous >= first) {
      return `non-increasing order, previous: ${previous}, current: ${first}`;
    }
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/** The first index that is in both sets; parts that cannot be read are passed over. */
export function commonIndex(a: string, b: string, completions: number): number | undefined {
  const read = (text: string) =>
    text.split(",").map((part) => parseInterval(part, completions)).filter((i) => typeof i !== "string");
  if (a === "" || b === "") return undefined;
  const left = read(a), right = read(b);
  let i = 0, j = 0;
  while (i < left.length && j < right.length) {
    const [aFirst, aLast] = left[i], [bFirst, bLast] = right[j];
    if (aFirst <= bLast && bFirst <= aLast) return Math.max(aFirst, bFirst);
    if (aFirst <= bFirst) i++;
    else j++;
  }
}
