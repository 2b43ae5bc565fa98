import { z } from "zod";
import {
  IMPORT_LIMITS,
  type ImportOutcome,
  type ImportProblem,
  MAX_LISTED_PROBLEMS,
  type ownOperations,
} from "../../platform/contract/own-operations.ts";
import { deleteRows, has, insertNew, updateRows, upsert } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import type { Area } from "../area/area.ts";
import { refuse } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import type { Db } from "../tables/tables.ts";
import { KINDS } from "./kinds.ts";
import { dropAbandoned, lockUpload, moveRows, type UploadKey } from "./move-rows.ts";
import { createRepeatedKeyProblem, readLines } from "./read-lines.ts";

/** A commit answers after so long at the latest, in ms; callers wait no longer than a minute or two. */
const MOVING_MS = 10_000;

/** Handlers for imports: uploaded pages are stored separately, and the commit makes their rows visible. */
export const importHandlers: Area<
  Pick<typeof ownOperations, "uploadImportPage" | "commitImport" | "dropImport">
> = {
  uploadImportPage: async ({ params: { kind, upload, page }, query, body }, context) => {
    const read = readLines(KINDS[kind], body, query.first_line);
    if (read.total > IMPORT_LIMITS.pageLines)
      refuse("bad_request", `a page has at most ${IMPORT_LIMITS.pageLines} lines`);
    if (page === 1) await dropAbandoned(context.db, context.clock);
    const key = { account: context.account, upload };
    const stored = {
      lines: read.lines.join("\n"),
      keys: JSON.stringify(read.keys),
      problems: read.problems.length,
    };
    await transact(context.db, async (trx) => {
      const begin = { state: "open", pages: 0, moved: 0, rows: 0 } as const;
      await insertNew(trx, "platform_imports", { ...key, kind, ...begin, created_ms: context.clock.now() });
      const begun = await lockUpload(trx, key);
      if (begun?.kind !== kind) refuse("conflict", `this upload is one of ${begun?.kind}`);
      if (begun.state !== "open") refuse("conflict", "this upload was committed");
      await upsert(trx, "platform_import_pages", { ...key, page, ...stored });
    });
    return { body: createOutcome(read.lines.length, read.problems) };
  },

  commitImport: async ({ params: { kind, upload }, body }, { db, account, clock }) => {
    const key = { account, upload };
    const sealed = await transact(db, (trx) => sealUpload(trx, { ...key, kind }, body.pages));
    const until = clock.monotonicMs() + MOVING_MS;
    const isRefused = sealed.problems.length > 0;
    const left = isRefused ? 0 : await moveRows(db, key, () => clock.monotonicMs() < until);
    return { body: { ...sealed, left } };
  },

  dropImport: async ({ params: { kind, upload } }, { db, account }) => {
    const key = { account, upload };
    await transact(db, async (trx) => {
      const known = await lockUpload(trx, key);
      if (known?.kind !== kind) return;
      if (known.state !== "open") refuse("conflict", "this upload was committed");
      for (const table of ["platform_import_pages", "platform_imports"] as const)
        await deleteRows(trx, table, key);
    });
    return { body: undefined };
  },
};

/** From here on the upload's rows will be there, whatever happens; or what is wrong with it, and it stays open. @throws Refusal */
async function sealUpload(
  trx: Db,
  { kind, account, upload }: UploadKey & { readonly kind: string },
  pages: number,
): Promise<ImportOutcome> {
  const key = { account, upload };
  const known = await lockUpload(trx, key);
  if (known?.kind !== kind) refuse("not_found", "there is no such upload");
  if (known.state !== "open") return createOutcome(known.rows, []);
  const stored = await trx
    .selectFrom("platform_import_pages")
    .select(["page", "problems"])
    .where(has(key))
    .orderBy("page")
    .execute();
  if (stored.length !== pages || stored.at(-1)?.page !== pages)
    refuse("conflict", `not all of the pages 1 to ${pages} were uploaded, or others too`);
  if (stored.some(({ problems }) => problems > 0))
    refuse("conflict", "the upload has lines with problems, so nothing was imported");
  const { rows, problems } = await compareKeys(trx, key, pages);
  if (problems.length > 0) return createOutcome(0, problems);
  await updateRows(trx, "platform_imports", key, { state: "moving", pages, rows });
  return createOutcome(rows, []);
}

/** Line and digest of each key, as `uploadImportPage` stores them. */
const parseKeys = createStoredJsonParser("keys of an import page", z.array(z.tuple([z.int(), z.string()])));

async function compareKeys(
  trx: Db,
  key: UploadKey,
  pages: number,
): Promise<{ rows: number; problems: ImportProblem[] }> {
  const linesByDigest = new Map<string, number>();
  const problems: ImportProblem[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const { keys } = await trx
      .selectFrom("platform_import_pages")
      .select("keys")
      .where(has({ ...key, page }))
      .executeTakeFirstOrThrow();
    for (const [line, digest] of parseKeys(keys)) {
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
