import { TollgateError } from "../../kernel/errors.ts";
import type { PlatformClient } from "../../platform/client.ts";
import {
  commitImport,
  dropImport,
  IMPORT_LIMITS,
  type ImportKindName,
  type ImportOutcome,
  type ImportProblem,
  MAX_LISTED_PROBLEMS,
  uploadImportPage,
} from "../../platform/contract/own-operations.ts";
import type { Failure } from "../../platform/errors.ts";
import { createRetryingCall, type RetryOptions } from "./run.ts";

export interface FileImport {
  readonly kind: ImportKindName;
  /** Id of this file's upload: 32 hex digits. */
  readonly upload: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

const RETRY_HINT = "Import the same file again: nothing is recorded twice.";
const HINTS: { readonly [K in Failure["kind"]]?: string } = {
  forbidden: "Imports take a token of the whole account: make one with `tollgate token create --for api`.",
  not_found: "Check --url. These files can be imported into the embedded platform only.",
  unavailable: `Check that the platform runs and --url is its address. ${RETRY_HINT}`,
  timed_out: `The platform is slow or stuck. ${RETRY_HINT}`,
};

/**
 * Uploads a file page by page and commits it when every line is valid; otherwise nothing is imported, and the
 * outcome lists the problems. `onPage` receives the number of pages that were sent. Throws `platform_failed` when a call finally fails, `file_unreadable` or
 * `file_not_recognised`.
 */
export async function importFile(
  platform: PlatformClient,
  { kind, upload, bytes }: FileImport,
  retrying: RetryOptions,
  onPage: (pages: number) => void = () => {},
): Promise<ImportOutcome> {
  const call = createRetryingCall(platform, { ...retrying, hints: HINTS });
  const params = { kind, upload };
  const problems = new ProblemList();
  try {
    let pages = 0;
    for await (const page of readImportPages(bytes)) {
      const answer = await call(uploadImportPage, buildPageCall(params, page));
      problems.add(page.tooLong, answer);
      pages = page.page;
      onPage(pages);
    }
    if (problems.isClean() && pages > 0) {
      const commit = () => call(commitImport, { params, body: { pages } });
      let committed = await commit();
      while (committed.left > 0) committed = await commit();
      if (committed.problems.length === 0) return { rows: committed.rows, problems: [], more: 0 };
      problems.add([], committed);
    }
    await call(dropImport, { params });
    return problems.outcome();
  } catch (error) {
    // Best effort: the platform removes an upload that is never committed.
    await platform.call(dropImport, { params });
    throw error;
  }
}

const buildPageCall = (
  params: { kind: ImportKindName; upload: string },
  { page, firstLine, bytes }: FilePage,
) => ({
  params: { ...params, page },
  query: { first_line: firstLine },
  body: bytes,
});

/** The problems in a file's pages; the first ones are stored in full, the others are counted. */
class ProblemList {
  #problems: ImportProblem[] = [];
  #count = 0;

  add(tooLong: readonly ImportProblem[], { problems, more }: ImportOutcome): void {
    const inOrder = [...tooLong, ...problems].sort((a, b) => a.line - b.line);
    this.#problems = [...this.#problems, ...inOrder].slice(0, MAX_LISTED_PROBLEMS);
    this.#count += tooLong.length + problems.length + more;
  }

  isClean(): boolean {
    return this.#count === 0;
  }

  outcome(): ImportOutcome {
    return { rows: 0, problems: this.#problems, more: this.#count - this.#problems.length };
  }
}

/** A part of a file that ends at a line end. */
interface FilePage {
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
