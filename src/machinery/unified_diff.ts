// The difference of two texts as `diff -u` shows it, three lines of context and no header (Ratcliff and Obershelp's
// pattern matching: the longest common run of lines first, then left and right of it).

interface Run {
  a: number;
  b: number;
  size: number;
}

const CONTEXT = 3;

/** Lines of `b` that occur so often that matching by them would say nothing are left out, in long texts only. */
function indexLines(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  b.forEach((line, j) => {
    const list = places.get(line);
    if (list) list.push(j);
    else places.set(line, [j]);
  });
  if (b.length >= 200) {
    const often = Math.floor(b.length / 100) + 1;
    for (const [line, list] of places) if (list.length > often) places.delete(line);
  }
  return places;
}

/** The common runs of lines, in order, the last one empty at the end of both texts. */
function commonRuns(a: readonly string[], b: readonly string[]): Run[] {
  const places = indexLines(b);
  const runs: Run[] = [];

  function longest(aLow: number, aHigh: number, bLow: number, bHigh: number): Run {
    let best: Run = { a: aLow, b: bLow, size: 0 };
    let lengths = new Map<number, number>();
    for (let i = aLow; i < aHigh; i++) {
      const next = new Map<number, number>();
      for (const j of places.get(a[i]) ?? []) {
        if (j < bLow) continue;
        if (j >= bHigh) break;
        const size = (lengths.get(j - 1) ?? 0) + 1;
        next.set(j, size);
        if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
      }
      lengths = next;
    }
    // Frequent lines were no reason to match, but next to a match they belong to it.
    while (best.a > aLow && best.b > bLow && a[best.a - 1] === b[best.b - 1]) {
      best = { a: best.a - 1, b: best.b - 1, size: best.size + 1 };
    }
    while (
      best.a + best.size < aHigh && best.b + best.size < bHigh && a[best.a + best.size] === b[best.b + best.size]
    ) {
      best.size++;
    }
    return best;
  }

  function search(aLow: number, aHigh: number, bLow: number, bHigh: number): void {
    const run = longest(aLow, aHigh, bLow, bHigh);
    if (run.size === 0) return;
    if (aLow < run.a && bLow < run.b) search(aLow, run.a, bLow, run.b);
    const last = runs.at(-1);
    if (last && last.a + last.size === run.a && last.b + last.size === run.b) last.size += run.size;
    else runs.push(run);
    const aNext = run.a + run.size, bNext = run.b + run.size;
    if (aNext < aHigh && bNext < bHigh) search(aNext, aHigh, bNext, bHigh);
  }

  search(0, a.length, 0, b.length);
  runs.push({ a: a.length, b: b.length, size: 0 });
  return runs;
}

/** Lines a1..a2 of the one are lines b1..b2 of the other, changed or the same. */
interface Piece {
  same: boolean;
  a1: number;
  a2: number;
  b1: number;
  b2: number;
}

function pieces(a: readonly string[], b: readonly string[]): Piece[] {
  const result: Piece[] = [];
  let i = 0, j = 0;
  for (const run of commonRuns(a, b)) {
    if (i < run.a || j < run.b) result.push({ same: false, a1: i, a2: run.a, b1: j, b2: run.b });
    i = run.a + run.size;
    j = run.b + run.size;
    if (run.size > 0) result.push({ same: true, a1: run.a, a2: i, b1: run.b, b2: j });
  }
  return result;
}

/** Changes that are near each other, with their context. */
function hunks(all: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  let group: Piece[] = [];
  all.forEach((piece, i) => {
    if (!piece.same) {
      group.push(piece);
      return;
    }
    const head = { ...piece, a2: Math.min(piece.a2, piece.a1 + CONTEXT), b2: Math.min(piece.b2, piece.b1 + CONTEXT) };
    const tail = { ...piece, a1: Math.max(piece.a1, piece.a2 - CONTEXT), b1: Math.max(piece.b1, piece.b2 - CONTEXT) };
    if (i === 0) group.push(tail);
    else if (i === all.length - 1) group.push(head);
    else if (piece.a2 - piece.a1 > 2 * CONTEXT) {
      group.push(head);
      groups.push(group);
      group = [tail];
    } else group.push(piece);
  });
  if (group.some((piece) => !piece.same)) groups.push(group);
  return groups;
}

function rangeText(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Empty when the texts are the same. */
export function unifiedDiff(before: string, after: string): string {
  const a = before.split("\n"), b = after.split("\n");
  let text = "";
  for (const hunk of hunks(pieces(a, b))) {
    const first = hunk[0], last = hunk[hunk.length - 1];
    text += `@@ -${rangeText(first.a1, last.a2)} +${rangeText(first.b1, last.b2)} @@\n`;
    for (const { same, a1, a2, b1, b2 } of hunk) {
      for (const line of a.slice(a1, a2)) text += `${same ? " " : "-"}${line}\n`;
      if (!same) { for (const line of b.slice(b1, b2)) text += `+${line}\n`; }
    }
  }
  return text;
}
