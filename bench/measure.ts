/** What a bench measures once it is prepared. */
export interface Measure {
  readonly what: string;
  /** The budget of the value. */
  readonly goal: string;
  /** Counted rounds; default 15. */
  readonly rounds?: number;
  /** Rounds before them: functions are compiled and statements planned; default 3. */
  readonly warmUp?: number;
  /** Which of the sorted values is shown, from 0 to 1; default the median. */
  readonly share?: number;
  /** What is measured: the number that it returns, else its time in ms. */
  run(round: number): unknown;
  /**
   * The same work on this machine without Tollgate, such as plain SQL, by turns with `run` so that both meet the same load. NaN: not in
   * this round.
   */
  floor?(round: number): unknown;
  /** Default: milliseconds. */
  readonly unit?: "ms" | "/s" | "";
}

export interface Prepared {
  readonly measures: readonly Measure[];
  close?(): unknown;
}

/** One line of a bench's answer. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly goal: string;
  readonly floor?: string;
}

/** The value below which `share` (0 to 1) of the samples lie. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const median = (samples: readonly number[]): number => quantile(samples, 0.5);

export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;

/** Runs a measure and its floor by turns. */
export async function takeMeasure(measure: Measure): Promise<Figure> {
  const { what, goal, rounds = 15, warmUp = 3, share = 0.5, unit = "ms", floor } = measure;
  const values: number[] = [];
  const floors: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    // Rounds of warm-up have the numbers of the last ones: no round has a negative number.
    const number = (round + rounds) % rounds;
    const below = floor === undefined ? null : await timed(() => floor(number));
    const value = await timed(() => measure.run(number));
    if (round < 0) continue;
    values.push(value);
    if (below !== null && !Number.isNaN(below)) floors.push(below);
  }
  const format = (value: number) => (unit === "ms" ? ms(value) : `${Math.round(value)}${unit}`);
  const value = quantile(values, share);
  if (floors.length === 0) return { what, value: format(value), goal };
  const least = median(floors);
  return { what, value: format(value), goal, floor: `${format(least)}, ${(value / least).toFixed(2)} ×` };
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  const result = await work();
  return typeof result === "number" ? result : performance.now() - began;
}
