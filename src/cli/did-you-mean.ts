/** The known word that a mistyped one most likely means; null when none is near. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const ranked = known
    .map((word) => ({ word, distance: distance(typed.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const allowed = Math.max(1, Math.floor(typed.length / 3));
  return best !== undefined && best.distance <= allowed ? best.word : null;
}

/** ` Did you mean …?` or nothing. */
export function suggestion(typed: string, known: readonly string[], prefix = ""): string {
  const word = nearest(typed, known);
  return word === null ? "" : ` Did you mean ${prefix}${word}?`;
}

/** How many single characters must be inserted, deleted, replaced or swapped with a neighbour to turn one word into the other. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const choices = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      ];
      if (swapped) choices.push(at(beforeLast, column - 2) + 1);
      current.push(Math.min(...choices));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
