import { TollgateError } from "../../kernel/errors.ts";
import { IMPORT_LIMITS, type ImportProblem } from "../../platform/contract/imports.ts";

/** A part of a file that ends at a line end. */
export interface FilePage {
  /** Counts from 1. */
  readonly page: number;
  /** Number of the page's first line in the file, from 1. */
  readonly firstLine: number;
  readonly bytes: Uint8Array;
  /** Problems of lines that are too long to be sent; blank lines replace them. */
  readonly tooLong: readonly ImportProblem[];
}

const LINE_FEED = 10;
/**
 * A page of this size, in bytes, is complete. One more line of the greatest length still fits into the
 * platform's limit.
 */
const FULL_BYTES = IMPORT_LIMITS.pageBytes / 2;

/** Splits a file into pages while it is read: at most one page and one line are in memory. */
export async function* readImportPages(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FilePage> {
  const pages = new PageSplitter();
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      pages.add(chunk.subarray(start, end));
      const full = pages.endLine();
      if (full !== null) yield full;
      start = end + 1;
    }
    pages.add(chunk.subarray(start));
  }
  const last = pages.end();
  if (last !== null) yield last;
}

class PageSplitter {
  #page = 1;
  #firstLine = 1;
  #lines: Uint8Array[] = [];
  #bytes = 0;
  #tooLong: ImportProblem[] = [];
  #line: Uint8Array[] = [];
  #lineBytes = 0;

  add(part: Uint8Array): void {
    if (this.#page === 1 && this.#lines.length === 0) refuseForeign(part, this.#lineBytes);
    this.#lineBytes += part.length;
    // A line that is too long to be sent is counted, not stored.
    if (part.length > 0 && this.#lineBytes <= IMPORT_LIMITS.lineBytes) this.#line.push(Uint8Array.from(part));
  }

  /** Ends a line; returns the page when this line completed it. */
  endLine(): FilePage | null {
    const isTooLong = this.#lineBytes > IMPORT_LIMITS.lineBytes;
    const line = this.#firstLine + this.#lines.length;
    if (isTooLong) {
      const problem = `is ${this.#lineBytes} bytes long; at most ${IMPORT_LIMITS.lineBytes} are taken`;
      this.#tooLong.push({ line, field: "", problem });
    }
    const bytes = isTooLong ? new Uint8Array() : Buffer.concat(this.#line);
    this.#lines.push(bytes);
    this.#bytes += bytes.length + 1;
    this.#line = [];
    this.#lineBytes = 0;
    return this.#lines.length >= IMPORT_LIMITS.pageLines || this.#bytes >= FULL_BYTES ? this.#take() : null;
  }

  end(): FilePage | null {
    const full = this.#lineBytes > 0 ? this.endLine() : null;
    return full ?? (this.#lines.length === 0 ? null : this.#take());
  }

  #take(): FilePage {
    if (this.#page > IMPORT_LIMITS.pages) throw createTooLargeError(this.#firstLine);
    const bytes = Buffer.concat(this.#lines.flatMap((line) => [line, Uint8Array.of(LINE_FEED)]));
    const taken = { page: this.#page, firstLine: this.#firstLine, bytes, tooLong: this.#tooLong };
    this.#page += 1;
    this.#firstLine += this.#lines.length;
    this.#lines = [];
    this.#bytes = 0;
    this.#tooLong = [];
    return taken;
  }
}

const createTooLargeError = (line: number): TollgateError =>
  new TollgateError("file_not_recognised", `the file is too large: it goes on after line ${line - 1}`, {
    hint: `A file may have ${IMPORT_LIMITS.pages * IMPORT_LIMITS.pageLines} lines, fewer if they are longer than 1,000 bytes. Split it.`,
  });

/** First bytes of file formats that are not lines of text. */
const FOREIGN_SIGNATURES: readonly (readonly [string, string])[] = [
  ["1f8b", "is compressed with gzip: unpack it first, as in `gunzip -c FILE | tollgate platform import … -`"],
  ["504b0304", "is a zip archive: unpack it first"],
  ["28b52ffd", "is compressed with zstd: unpack it first"],
  ["fffe", "is UTF-16: write it as UTF-8"],
  ["feff", "is UTF-16: write it as UTF-8"],
];

function refuseForeign(part: Uint8Array, already: number): void {
  if (already > 0) return;
  const head = Buffer.from(part.subarray(0, 4)).toString("hex");
  const found = FOREIGN_SIGNATURES.find(([magic]) => head.startsWith(magic));
  if (found === undefined) return;
  throw new TollgateError("file_not_recognised", `the file ${found[1]}`, {
    hint: "An import takes newline-delimited JSON: one object to a line, in UTF-8.",
  });
}
