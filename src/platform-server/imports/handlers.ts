import type { Kysely } from "kysely";
import { z } from "zod";
import {
  IMPORT_LIMITS,
  type ImportOutcome,
  type ImportProblem,
  MAX_LISTED_PROBLEMS,
} from "../../platform/contract/imports.ts";
import type { ours } from "../../platform/contract/registry.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area } from "../area/area.ts";
import type { Context } from "../area/deps.ts";
import { createProblem, isProblem, type Problem } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import { type ImportedTables, KINDS } from "./kinds.ts";
import { dropAbandoned, moveRows } from "./move-rows.ts";
import { createRepeatedKeyProblem, readLines } from "./read-lines.ts";
import type { ImportTables } from "./store/uploads.ts";
import {
  beginUpload,
  deleteUpload,
  importPagePart,
  importPages,
  lockUpload,
  saveImportPage,
  type UploadKey,
  updateUpload,
} from "./store/uploads.ts";

/** A commit answers after so long at the latest, in ms; callers wait no longer than a minute or two. */
const MOVING_MS = 10_000;

type ImportHandlers = Area<
  Pick<typeof ours, "uploadImportPage" | "commitImport" | "dropImport">,
  ImportedTables
>;

/** Handlers for imports: uploaded pages are stored separately, and the commit makes their rows visible. */
export const importHandlers: ImportHandlers = {
  uploadImportPage: async ({ params, query, body }, context) => {
    const read = readLines(KINDS[params.kind], body, query.first_line);
    if (read.total > IMPORT_LIMITS.pageLines)
      return createProblem("bad_request", `a page has at most ${IMPORT_LIMITS.pageLines} lines`);
    if (params.page === 1) await dropAbandoned(context.db, context.clock);
    const key = { account: context.token.account, upload: params.upload };
    const { page } = params;
    const text = { lines: read.lines.join("\n"), keys: JSON.stringify(read.keys) };
    const problems = read.problems.length;
    const refused = await transact(createUploadStore(context), async (trx) => {
      const openUpload = await beginUpload(trx, {
        ...key,
        kind: params.kind,
        created_ms: context.clock.now(),
      });
      if (openUpload.kind !== params.kind)
        return createProblem("conflict", `this upload is one of ${openUpload.kind}`);
      if (openUpload.state !== "open") return createProblem("conflict", "this upload was committed");
      await saveImportPage(trx, { ...key, page, ...text, problems });
      return null;
    });
    return refused ?? { body: createOutcome(read.lines.length, read.problems) };
  },

  commitImport: async ({ params, body }, context) => {
    const key = { account: context.token.account, upload: params.upload };
    const sealed = await transact(createUploadStore(context), (trx) =>
      sealUpload(trx, { ...key, ...params }, body.pages),
    );
    if (isProblem(sealed)) return sealed;
    const isRefused = sealed.problems.length > 0;
    const until = context.clock.monotonicMs() + MOVING_MS;
    const left = isRefused ? 0 : await moveRows(context.db, key, () => context.clock.monotonicMs() < until);
    return { body: { ...sealed, left } };
  },

  dropImport: async ({ params }, context) => {
    const key = { account: context.token.account, upload: params.upload };
    const refused = await transact(createUploadStore(context), async (trx) => {
      const upload = await lockUpload(trx, key);
      if (upload === null || upload.kind !== params.kind) return null;
      if (upload.state !== "open") return createProblem("conflict", "this upload was committed");
      await deleteUpload(trx, key);
      return null;
    });
    return refused ?? { body: undefined };
  },
};

/** The tables in which the pages wait. */
const createUploadStore = ({ db }: Context<ImportedTables>) => db.$pickTables<keyof ImportTables>();

/** From here on the upload's rows will be there, whatever happens; or what is wrong with it, and it stays open. */
async function sealUpload(
  trx: Kysely<ImportTables>,
  key: UploadKey & { readonly kind: string },
  pages: number,
): Promise<ImportOutcome | Problem<"not_found" | "conflict">> {
  const upload = await lockUpload(trx, key);
  if (upload === null || upload.kind !== key.kind)
    return createProblem("not_found", "there is no such upload");
  if (upload.state !== "open") return createOutcome(upload.rows, []);
  const storedPages = await importPages(trx, key);
  if (storedPages.length !== pages || storedPages.at(-1)?.page !== pages)
    return createProblem("conflict", `not all of the pages 1 to ${pages} were uploaded, or others too`);
  if (storedPages.some(({ problems }) => problems > 0))
    return createProblem("conflict", "the upload has lines with problems, so nothing was imported");
  const { rows, problems } = await compareKeys(trx, key, pages);
  if (problems.length > 0) return createOutcome(0, problems);
  await updateUpload(trx, key, { state: "moving", pages, rows });
  return createOutcome(rows, []);
}

/** Line and digest of each key, as `uploadImportPage` stores them. */
const parseKeys = createStoredJsonParser("keys of an import page", z.array(z.tuple([z.int(), z.string()])));

async function compareKeys(
  trx: Kysely<ImportTables>,
  key: UploadKey,
  pages: number,
): Promise<{ rows: number; problems: ImportProblem[] }> {
  const linesByDigest = new Map<string, number>();
  const problems: ImportProblem[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const text = await importPagePart(trx, { ...key, page }, "keys");
    const keys = parseKeys(text ?? "[]");
    for (const [line, digest] of keys) {
      const earlier = linesByDigest.get(digest);
      if (earlier === undefined) linesByDigest.set(digest, line);
      else problems.push(createRepeatedKeyProblem(line, earlier));
    }
  }
  return { rows: linesByDigest.size, problems };
}

const createOutcome = (rows: number, problems: readonly ImportProblem[]): ImportOutcome => ({
  rows,
  problems: problems.slice(0, MAX_LISTED_PROBLEMS),
  more: Math.max(0, problems.length - MAX_LISTED_PROBLEMS),
});
