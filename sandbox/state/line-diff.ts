/** A line of a difference; its numbers before and after count from 1, null: it is not on that side. */
export interface DiffLine {
  readonly text: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** Most pairs of lines that are compared; larger differences replace everything between the first and the last changed line. */
const MAX_PAIRS = 4_000_000;

/** Returns all lines of two texts as the shortest difference: shared, removed and added ones. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const start = countShared(before, after);
  const end = Math.min(
    countShared(before.toReversed(), after.toReversed()),
    Math.min(before.length, after.length) - start,
  );
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const lengths = measureCommonLines(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  const add = (from: readonly string[], isBefore: boolean, isAfter: boolean) => {
    lines.push({
      text: from[isBefore ? i : j] ?? "",
      before: isBefore ? i + 1 : null,
      after: isAfter ? j + 1 : null,
    });
    if (isBefore) i += 1;
    if (isAfter) j += 1;
  };
  while (i < before.length || j < after.length) {
    const [x, y] = [i - start, j - start];
    const isInside = x >= 0 && (x < a.length || y < b.length);
    if (!isInside || (x < a.length && y < b.length && a[x] === b[y])) add(before, true, true);
    else if (y >= b.length || (x < a.length && lengths(x + 1, y) >= lengths(x, y + 1)))
      add(before, true, false);
    else add(after, false, true);
  }
  return lines;
}

/** Returns how many lines two texts have in common from given ones on. */
function measureCommonLines(a: readonly string[], b: readonly string[]): (x: number, y: number) => number {
  if (a.length * b.length > MAX_PAIRS) return () => 0;
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  const at = (x: number, y: number) => table[x * width + y] ?? 0;
  for (let x = a.length - 1; x >= 0; x -= 1)
    for (let y = b.length - 1; y >= 0; y -= 1)
      table[x * width + y] = a[x] === b[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1));
  return at;
}

function countShared(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
