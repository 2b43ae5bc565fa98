/** Where a text stops being JSON. Lines count from 1. Never quotes the text: it may hold secrets. */
export class JsonProblem extends Error {
  override readonly name = "JsonProblem";
  readonly kind: "syntax" | "cut_off" | "empty" | "too_deep";
  readonly line: number;

  /** Of what is nested too deeply: the keys that lead there, cut short. */
  readonly place: string;

  constructor(kind: JsonProblem["kind"], line: number, place = "") {
    super(`${kind} in line ${line}`);
    this.kind = kind;
    this.line = line;
    this.place = place;
  }
}
