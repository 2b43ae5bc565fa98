/** The value below which `share` (0 to 1) of the samples lie. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** One line of a bench's answer. */
export interface Figure {
  readonly what: string;
  /** Begins with the number, so that `--runs` can choose the median run: "480 ms", "0.75 ×". */
  readonly value: string;
  /** What the value is held against; "–" where there is no goal. */
  readonly goal: string;
  /** What the same machine did in the same run without Tollgate, such as plain SQL; absent where there is no such floor. */
  readonly floor?: string;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;
export const ratio = (value: number): string => `${value.toFixed(2)} ×`;

/** The figures of several runs as one: of each figure the run with the median value, and beside it the least and the greatest. */
export function medianFigures(runs: readonly (readonly Figure[])[]): readonly Figure[] {
  const [first = [], ...others] = runs;
  if (others.length === 0) return first;
  return first.map((figure, at) => {
    // Two figures of a run may have one name, so the place counts too.
    const same = runs.flatMap((run) => run.slice(at, at + 1).filter(({ what }) => what === figure.what));
    const sorted = same.toSorted((a, b) => leadingNumber(a.value) - leadingNumber(b.value));
    const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? figure;
    const ends = [sorted.at(0), sorted.at(-1)].map((end) => end?.value ?? "–");
    return { ...middle, value: `${middle.value} (${ends.join(" – ")})` };
  });
}

const leadingNumber = (value: string): number => Number.parseFloat(value.replaceAll(",", ""));
