/** The value below which `share` (0 to 1) of the samples lie. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/** One line of a bench's answer: what, how much, and the budget it is held against. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly budget: string;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;
export const ratio = (value: number): string => `${value.toFixed(2)} ×`;
