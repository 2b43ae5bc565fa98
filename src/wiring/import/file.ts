import type { PlatformClient } from "../../platform/client.ts";
import {
  commitImport,
  dropImport,
  type ImportKindName,
  type ImportOutcome,
  type ImportProblem,
  MAX_LISTED_PROBLEMS,
  uploadImportPage,
} from "../../platform/contract/imports.ts";
import type { Failure } from "../../platform/errors.ts";
import { type FilePage, readImportPages } from "./pages.ts";
import { createRetryingCall, type RetryOptions } from "./retrying-call.ts";

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
