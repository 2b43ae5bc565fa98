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

/** Reads on, and waits for the next piece of text where this one ends; null: the text ends. */
type Reading<T> = Generator<void, T, string | null>;

const BLANK = /[ \t\r\n]/;
const SCALAR = /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/;
const SCALAR_END = /[,\]}\s]/g;
/** Greatest nesting of lists and objects: deeper than any tool writes, and low enough that parsing stays cheap. */
const MAX_DEPTH = 1_000;
/** In characters. A longer number or word is not valid JSON. */
const MAX_SCALAR = 10_000;
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
  readonly #reading: Reading<void>;
  #chunk = "";
  #at = 0;
  /** The line on which the chunk starts. */
  #line = 1;
  #isEmpty = true;
  #isEnded = false;
  #isDone = false;
  #after = "";
  #doneLine = 0;

  constructor(options: CutterOptions) {
    this.#options = options;
    this.#reading = this.#readValue();
    this.#reading.next();
  }

  /**
   * Returns the beginning of the text after the document (at most 4096 characters), and the line on which the
   * document ends.
   */
  get after(): { readonly text: string; readonly line: number } {
    return { text: this.#after.slice(0, MAX_TRAILING_TEXT), line: this.#doneLine };
  }

  /** Reads the next piece. Throws a JsonProblem when the text is not JSON or is nested too deeply. */
  write(chunk: string): void {
    if (!this.#isDone) this.#read(chunk);
    else if (this.#after.length < MAX_TRAILING_TEXT) this.#after += chunk;
  }

  /** Ends the text. Throws a JsonProblem when the document is not complete. */
  end(): void {
    if (!this.#isDone) this.#read(null);
  }

  #read(chunk: string | null): void {
    this.#isDone = this.#reading.next(chunk).done === true;
    if (!this.#isDone) return;
    this.#doneLine = this.#findLine();
    this.#after = this.#chunk.slice(this.#at);
  }

  *#readValue(): Reading<void> {
    const opener = yield* this.#peek();
    this.#isEmpty = false;
    const choice = this.#options.choose(this.#path);
    if (choice === "enter" && (opener === "{" || opener === "[")) yield* this.#readMembers(opener);
    else {
      const text = yield* this.#readText(choice !== "skip");
      if (choice !== "skip") this.#options.take(this.#path, text);
    }
  }

  *#readMembers(opener: "{" | "["): Reading<void> {
    const closer = opener === "{" ? "}" : "]";
    const depth = this.#path.length;
    if (depth >= MAX_DEPTH) throw this.#createProblem("too_deep");
    this.#at += 1;
    let isLast = (yield* this.#peek()) === closer;
    for (let index = 0; !isLast; index += 1) {
      this.#path[depth] = index;
      if (opener === "{") this.#path[depth] = yield* this.#readKey();
      yield* this.#readValue();
      isLast = (yield* this.#peek()) === closer;
      if (!isLast) yield* this.#expect(",");
    }
    this.#at += 1;
    this.#path.length = depth;
  }

  *#readKey(): Reading<string> {
    if ((yield* this.#peek()) !== '"') throw this.#createProblem("syntax");
    const text = yield* this.#readText(true);
    yield* this.#expect(":");
    try {
      return String(JSON.parse(text));
    } catch {
      throw this.#createProblem("syntax");
    }
  }

  *#expect(char: string): Reading<void> {
    if ((yield* this.#peek()) !== char) throw this.#createProblem("syntax");
    this.#at += 1;
  }

  /** The next character that is not blank; it is not consumed. */
  *#peek(): Reading<string> {
    for (;;) {
      for (; this.#at < this.#chunk.length; this.#at += 1) {
        const char = this.#chunk.charAt(this.#at);
        if (!BLANK.test(char)) return char;
      }
      if (!(yield* this.#readChunk())) throw this.#createProblem(this.#isEmpty ? "empty" : "cut_off");
    }
  }

  /** Replaces the chunk by the next one; false: the text ends. */
  *#readChunk(): Reading<boolean> {
    if (this.#isEnded) return false;
    this.#at = this.#chunk.length;
    const line = this.#findLine();
    const chunk = yield;
    this.#line = line;
    this.#chunk = chunk ?? "";
    this.#at = 0;
    this.#isEnded = chunk === null;
    return !this.#isEnded;
  }

  /** Reads one value without its grammar; empty unless `keeps`, except for numbers and words. */
  #readText(keeps: boolean): Reading<string> {
    return /["[{]/.test(this.#chunk.charAt(this.#at)) ? this.#readBalanced(keeps) : this.#readScalar();
  }

  *#readScalar(): Reading<string> {
    let text = "";
    for (;;) {
      SCALAR_END.lastIndex = this.#at;
      const end = SCALAR_END.exec(this.#chunk)?.index ?? this.#chunk.length;
      text += this.#chunk.slice(this.#at, end);
      this.#at = end;
      if (text.length > MAX_SCALAR) throw this.#createProblem("syntax");
      if (end < this.#chunk.length || !(yield* this.#readChunk())) break;
    }
    if (!SCALAR.test(text))
      throw this.#createProblem(this.#isEnded && this.#path.length > 0 ? "cut_off" : "syntax");
    return text;
  }

  /** Reads a string, list or object up to its end. */
  *#readBalanced(keeps: boolean): Reading<string> {
    const scan: BracketScan = { depth: 0, isInString: false, isEscaped: false };
    let text = "";
    for (;;) {
      const from = this.#at;
      let isEnd = false;
      while (this.#at < this.#chunk.length && !isEnd) {
        this.#at = follow(scan, this.#chunk, this.#at);
        isEnd = scan.depth === 0 && !scan.isInString;
        if (scan.depth > MAX_DEPTH) throw this.#createProblem("too_deep");
      }
      if (keeps) text += this.#chunk.slice(from, this.#at);
      if (isEnd) return text;
      if (!(yield* this.#readChunk())) throw this.#createProblem("cut_off");
    }
  }

  #createProblem(kind: JsonProblem["kind"]): JsonProblem {
    return new JsonProblem(kind, this.#findLine(), this.#path.slice(0, MAX_PATH_STEPS).join("."));
  }

  /** The line of the next character. */
  #findLine(): number {
    let line = this.#line;
    for (
      let at = this.#chunk.indexOf("\n");
      at !== -1 && at < this.#at;
      at = this.#chunk.indexOf("\n", at + 1)
    )
      line += 1;
    return line;
  }
}

interface BracketScan {
  depth: number;
  isInString: boolean;
  isEscaped: boolean;
}

/** Follows strings and counts brackets up to the next character that matters; returns the index after it. */
function follow(scan: BracketScan, chunk: string, from: number): number {
  if (scan.isEscaped) {
    scan.isEscaped = false;
    return from + 1;
  }
  const pattern = scan.isInString ? IN_STRING : OUTSIDE;
  pattern.lastIndex = from;
  const char = pattern.exec(chunk)?.[0];
  if (char === undefined) return chunk.length;
  if (char === "\\") scan.isEscaped = true;
  else if (char === '"') scan.isInString = !scan.isInString;
  else scan.depth += char === "{" || char === "[" ? 1 : -1;
  return pattern.lastIndex;
}

const IN_STRING = /["\\]/g;
const OUTSIDE = /["[\]{}]/g;
