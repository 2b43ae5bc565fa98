import { JsonProblem } from "./json-problem.ts";
import { MAX_DEPTH, NestingError, RawScan } from "./raw-scan.ts";

/** A key of an object or an index of an array. */
export type PathStep = string | number;

/** What happens with a value: its text is passed on, its members are visited one by one, or it is skipped. */
export type CutterChoice = "capture" | "enter" | "skip";

export interface CutterOptions {
  /** Called once per value, before it is read. `enter` on a value that is not a container means `capture`. */
  choose(path: readonly PathStep[]): CutterChoice;
  /** Receives each captured value as JSON text (balanced, not yet parsed) with its path. */
  take(path: readonly PathStep[], text: string): void;
}

type CutterState = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "done";
type ValueUse = "key" | "capture" | "skip";
/**
 * A value whose end is not reached yet. Its text is stored when it is captured, or short enough to be
 * checked.
 */
interface RawValue {
  readonly use: ValueUse;
  readonly scalar: boolean;
  readonly scan: RawScan;
  readonly pieces: string[];
}

const BLANK = /[ \t\r\n]/;
const SCALAR = /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/;
/** In pieces of text. A number or word that spans more pieces is not valid JSON. */
const MAX_SCALAR = 1000;
/** Most path steps in an error. */
const MAX_PATH_STEPS = 6;
/** In characters. Length of the stored text after the document, from which its kind is recognised. */
const MAX_TRAILING_TEXT = 4096;

/**
 * Reads one JSON document in pieces of any size and passes on only the requested values, so that a document
 * may be larger than the memory. Strings and brackets are followed everywhere. The grammar is checked only in
 * entered values; the caller parses captured values.
 */
export class JsonCutter {
  readonly #options: CutterOptions;
  readonly #path: PathStep[] = [];
  readonly #closers: string[] = [];
  #state: CutterState = "value";
  #raw: RawValue | null = null;
  #lines = 1;
  #after = "";
  #doneLine = 0;

  constructor(options: CutterOptions) {
    this.#options = options;
  }

  /**
   * Returns the beginning of the text after the document (at most 4096 characters), and the line on which the
   * document ends.
   */
  get after(): { readonly text: string; readonly line: number } {
    return { text: this.#after, line: this.#doneLine };
  }

  /** Reads the next piece. Throws a JsonProblem when the text is not JSON or is nested too deeply. */
  write(chunk: string): void {
    try {
      this.#cut(chunk);
    } catch (error) {
      if (!(error instanceof NestingError)) throw error;
      throw new JsonProblem("too_deep", this.#lines, this.#path.slice(0, MAX_PATH_STEPS).join("."));
    }
  }

  #cut(chunk: string): void {
    let at = 0;
    while (at < chunk.length && !this.#isDone()) {
      at = this.#raw === null ? this.#grammar(chunk, at) : this.#rawValue(chunk, at, this.#raw);
      if (this.#isDone()) this.#doneLine = this.#lineAt(chunk, at);
    }
    if (at < chunk.length && this.#after.length < MAX_TRAILING_TEXT) {
      this.#after += chunk.slice(at, at + MAX_TRAILING_TEXT);
    }
    this.#lines = this.#lineAt(chunk, chunk.length);
  }

  /** Ends the text. Throws a JsonProblem when the document is not complete. */
  end(): void {
    if (this.#raw?.scalar === true && this.#closers.length === 0) this.#rawValue(" ", 0, this.#raw);
    if (this.#state === "done") return;
    const nothing = this.#state === "value" && this.#closers.length === 0 && this.#raw === null;
    throw new JsonProblem(nothing ? "empty" : "cut_off", this.#lines);
  }

  #isDone(): boolean {
    return this.#state === "done";
  }

  #grammar(chunk: string, at: number): number {
    const char = chunk.charAt(at);
    if (BLANK.test(char)) return at + 1;
    switch (this.#state) {
      case "colon":
        return this.#expect(char === ":", "value", { chunk, at });
      case "key":
      case "key-or-end":
        if (char === "}" && this.#state === "key-or-end") return this.#close(at);
        if (char !== '"') throw this.#syntax(chunk, at);
        this.#startRaw("key", false);
        return at;
      case "comma-or-end":
        return this.#commaOrEnd(chunk, at);
      default:
        if (char === "]" && this.#state === "value-or-end") return this.#close(at);
        return this.#startValue(chunk, at);
    }
  }

  #commaOrEnd(chunk: string, at: number): number {
    const closer = this.#closers.at(-1);
    if (chunk.charAt(at) === closer) return this.#close(at);
    const last = this.#path.length - 1;
    const step = this.#path[last];
    if (typeof step === "number") this.#path[last] = step + 1;
    return this.#expect(chunk.charAt(at) === ",", closer === "}" ? "key" : "value", { chunk, at });
  }

  #expect(met: boolean, next: CutterState, where: { chunk: string; at: number }): number {
    if (!met) throw this.#syntax(where.chunk, where.at);
    this.#state = next;
    return where.at + 1;
  }

  #startValue(chunk: string, at: number): number {
    const char = chunk.charAt(at);
    const container = char === "{" || char === "[";
    const choice = this.#options.choose(this.#path);
    if (container && choice === "enter") return this.#enter(char, at);
    const scalar = !container && char !== '"';
    if (scalar && !/[-0-9tfn]/.test(char)) throw this.#syntax(chunk, at);
    this.#startRaw(choice === "skip" ? "skip" : "capture", scalar);
    return at;
  }

  #enter(opener: string, at: number): number {
    const object = opener === "{";
    if (this.#closers.length >= MAX_DEPTH) throw new NestingError();
    this.#closers.push(object ? "}" : "]");
    this.#path.push(object ? "" : 0);
    this.#state = object ? "key-or-end" : "value-or-end";
    return at + 1;
  }

  #startRaw(use: ValueUse, scalar: boolean): void {
    this.#raw = { use, scalar, scan: new RawScan(scalar), pieces: [] };
  }

  #rawValue(chunk: string, from: number, raw: RawValue): number {
    const end = raw.scan.end(chunk, from);
    if (raw.use !== "skip" || raw.scalar) raw.pieces.push(chunk.slice(from, end ?? chunk.length));
    if (raw.scalar && raw.pieces.length > MAX_SCALAR) throw this.#syntax(chunk, from);
    if (end === null) return chunk.length;
    this.#raw = null;
    this.#state = this.#closers.length === 0 ? "done" : "comma-or-end";
    this.#use(raw, chunk, end);
    return end;
  }

  #use(raw: RawValue, chunk: string, end: number): void {
    const text = raw.pieces.join("");
    if (raw.scalar && !SCALAR.test(text)) throw this.#syntax(chunk, end);
    if (raw.use === "key") this.#key(text, chunk, end);
    if (raw.use === "capture") this.#options.take(this.#path, text);
  }

  #key(text: string, chunk: string, end: number): void {
    try {
      this.#path[this.#path.length - 1] = String(JSON.parse(text));
    } catch {
      throw this.#syntax(chunk, end);
    }
    this.#state = "colon";
  }

  #close(at: number): number {
    this.#closers.pop();
    this.#path.pop();
    this.#state = this.#closers.length === 0 ? "done" : "comma-or-end";
    return at + 1;
  }

  #syntax(chunk: string, at: number): JsonProblem {
    return new JsonProblem("syntax", this.#lineAt(chunk, at));
  }

  #lineAt(chunk: string, end: number): number {
    let lines = this.#lines;
    for (let at = chunk.indexOf("\n"); at !== -1 && at < end; at = chunk.indexOf("\n", at + 1)) lines += 1;
    return lines;
  }
}
