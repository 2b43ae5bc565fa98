/** A place in a file; lines and columns count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export type ValuePath = readonly PropertyKey[];

/** A problem at a position of one file. */
export interface FileProblem extends TextPosition {
  readonly path: string;
  readonly message: string;
}

/** A path as people write it: `rules[2].limit.increase`. */
export function formatPath(path: ValuePath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (PLAIN_KEY.test(String(step))) text += text === "" ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step))}]`;
  }
  return text;
}

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

export const byPlace = (a: TextPosition, b: TextPosition): number => a.line - b.line || a.column - b.column;
