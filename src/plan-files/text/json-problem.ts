/**
 * The place where a text is not valid JSON. Lines count from 1. Never quotes the text, which may contain
 * secrets.
 */
export class JsonProblem extends Error {
  override readonly name = "JsonProblem";
  readonly kind: "syntax" | "cut_off" | "empty" | "too_deep";
  readonly line: number;

  /** For a value that is nested too deeply: the keys that lead to it, shortened. */
  readonly place: string;

  constructor(kind: JsonProblem["kind"], line: number, place = "") {
    super(`${kind} in line ${line}`);
    this.kind = kind;
    this.line = line;
    this.place = place;
  }
}
