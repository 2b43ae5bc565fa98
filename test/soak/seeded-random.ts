/** The choices of a run: the same with the same seed. */
export interface Choices {
  /** At least `from`, less than `to`; not an integer. */
  between(from: number, to: number): number;
  /** An integer of at least `from` and at most `to`. */
  integer(from: number, to: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/** Choices by the generator mulberry32 (public domain), which needs no good randomness but the same sequence everywhere. */
export function createChoices(seed: number): Choices {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number) => from + next() * (to - from);
  const integer = (from: number, to: number) => Math.floor(between(from, to + 1));
  return { between, integer, pick: (from) => from[integer(0, from.length - 1)] ?? from[0] };
}
