import { sql } from "kysely";
import { z } from "zod";
import { type Clock, DAY_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import {
  IMPORT_LIMITS,
  type ImportKindName,
  type ImportOutcome,
  type ImportProblem,
  MAX_LISTED_PROBLEMS,
  type ownOperations,
} from "../../platform/contract/own-operations.ts";
import { deleteRows, findRow, has, insertNew, updateRows, upsert } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import { anomalyImport } from "../anomalies/import.ts";
import type { Area } from "../area/area.ts";
import type { ImportKind } from "../area/import-kind.ts";
import { refuse } from "../area/problem.ts";
import { createStoredJsonParser } from "../area/stored-json.ts";
import { evaluationImport, promptImport } from "../governance/handlers.ts";
import { recommendationsImport } from "../recommendations/import.ts";
import type { Db, Row } from "../tables/tables.ts";
import { billingImport, perspectivesImport } from "../unit-metrics/import.ts";
import { buildRows, createRepeatedKeyProblem, readLines } from "./read-lines.ts";

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

const KINDS: { readonly [Name in ImportKindName]: ImportKind } = {
  recommendations: recommendationsImport,
  anomalies: anomalyImport,
  evaluations: evaluationImport,
  billing: billingImport,
  prompts: promptImport,
  perspectives: perspectivesImport,
};

type Upload = Row<"platform_imports">;
type UploadKey = Pick<Upload, "account" | "upload">;

/**
 * Moves a complete upload's rows to their tables, one page per transaction: a single transaction would occupy
 * the embedded database's only connection for seconds. Continues while `isTime`, and returns the number of
 * remaining pages. It resumes after an interruption, and may be called concurrently.
 */
async function moveRows(db: Db, key: UploadKey, isTime: () => boolean = () => true): Promise<number> {
  let left = await moveOnePage(db, key);
  while (left > 0 && isTime()) left = await moveOnePage(db, key);
  return left;
}

/** How many pages are left to move then. */
const moveOnePage = (db: Db, key: UploadKey): Promise<number> =>
  transact(db, async (trx) => {
    const upload = await lockUpload(trx, key);
    if (upload?.state !== "moving") return 0;
    const page = upload.moved + 1;
    const { account } = upload;
    const stored = await trx
      .deleteFrom("platform_import_pages")
      .where(has({ ...key, page }))
      .returning("lines")
      .executeTakeFirst();
    const kind = KINDS[upload.kind as keyof typeof KINDS]; // kept under the name that it has in the table
    if (kind === undefined || stored === undefined)
      throw new TollgateError("internal", `page ${page} of an import of ${upload.kind} cannot be moved`);
    await kind.write(trx, account, buildRows(kind, stored.lines));
    const isLast = page >= upload.pages;
    await updateRows(trx, "platform_imports", key, { moved: page, state: isLast ? "imported" : "moving" });
    return Math.max(0, upload.pages - page);
  });

/** Locks an upload until the transaction ends; null: there is none. */
const lockUpload = async (trx: Db, key: UploadKey): Promise<Upload | null> =>
  (await findRow(trx, "platform_imports", key, "lock")) ?? null;

/** At start: completes interrupted imports, and deletes uploads that were not committed within a day. */
export async function tidyImports(db: Db, clock: Clock): Promise<void> {
  await dropAbandoned(db, clock);
  const moving = await db
    .selectFrom("platform_imports")
    .select(["account", "upload"])
    .where("state", "=", "moving")
    .orderBy("created_ms")
    .execute();
  for (const key of moving) await moveRows(db, key);
}

async function dropAbandoned(db: Db, clock: Clock): Promise<void> {
  await sql`with old as (
      delete from platform_imports where created_ms < ${clock.now() - DAY_MS} and state <> 'moving'
      returning account, upload)
    delete from platform_import_pages pages using old
      where pages.account = old.account and pages.upload = old.upload`.execute(db);
}
