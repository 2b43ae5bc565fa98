/** A place in a file; lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export type Path = readonly PropertyKey[];

/** Something wrong at a place of one file. */
export interface Flaw extends Place {
  readonly path: string;
  readonly message: string;
}

/** A path as people write it: `rules[2].limit.increase`. */
export function pathText(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (PLAIN.test(String(step))) text += text === "" ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step))}]`;
  }
  return text;
}

const PLAIN = /^[A-Za-z_][\w-]*$/;

export const byPlace = (a: Place, b: Place): number => a.line - b.line || a.column - b.column;
