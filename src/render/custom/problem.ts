/** What is wrong with a partial, where (both from 1), as one sentence that says what to do. */
export interface PartialProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** For what has no place of its own. */
export const START = { line: 1, column: 1 } as const;

/** The place of an offset in UTF-16 units. */
export function placeIn(text: string, offset: number): Pick<PartialProblem, "line" | "column"> {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
