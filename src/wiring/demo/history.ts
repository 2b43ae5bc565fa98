import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { z } from "zod";
import type { Sandbox } from "../../../sandbox/sandbox.ts";
import { type Clock, DAY_MS, systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { getShippedFile } from "../../package/shipped-files.ts";
import { readRecord } from "../../store/audit/decision-record.ts";
import { appendRecord } from "../../store/audit/decisions.ts";
import { transact } from "../../store/database/transaction.ts";
import { saveRepository } from "../../store/repositories.ts";
import type { Db, Trx } from "../../store/tables/tables.ts";

/** Folder of the demo's policy, plans, estimates and history. */
export const EXAMPLES = getShippedFile("examples/demo");

/** The clock of the demo's GitHub: it shows a moment of the past while the history is played, then the real time. */
export class DemoClock implements Clock {
  /** In ms since 1970; null: the real time. */
  pastMs: number | null = null;
  readonly now = (): number => this.pastMs ?? systemClock.now();
  readonly monotonicMs = systemClock.monotonicMs;
}

const RecordedPull = z.object({
  repository: z.string(),
  number: z.int(),
  title: z.string(),
  author: z.string(),
  pushes: z.array(z.object({ sha: z.string(), atMs: z.number() })).min(1),
  ending: z.enum(["merged", "closed"]),
  endMs: z.number(),
  mergeSha: z.string().nullable(),
});
type RecordedPull = z.infer<typeof RecordedPull>;

/** Five months of an organisation, as a Tollgate recorded them. */
const History = z.object({
  recordedMs: z.number(),
  /** Ids by login. The ids of people and repositories are those of the recording, as are the ids of commits. */
  people: z.record(z.string(), z.int()),
  repositories: z.array(z.object({ id: z.int(), name: z.string(), policy: z.string() })),
  /** All of them merged or closed, in the order of their numbers. */
  pulls: z.array(RecordedPull),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  /** The records of the chain of decisions, oldest first. */
  decisions: z.array(
    z.looseObject({
      at: z.string(),
      repositoryId: z.int(),
      number: z.int(),
      approval: z.string().optional(),
      approver: z.looseObject({ login: z.string() }).optional(),
      reason: z.string().nullish(),
    }),
  ),
});
type History = z.infer<typeof History>;

export type SaveHistory = (
  db: Db,
  ids: { readonly ownerId: number; readonly installationId: number },
) => Promise<void>;

/**
 * Plays the recorded history of the sandbox's organisation on the sandbox GitHub, as if it had ended today: people, repositories and
 * pull requests. No App may be installed there yet. Returns a function that stores the rest.
 */
export function playHistory(sandbox: Sandbox, clock: DemoClock, owner: string): SaveHistory {
  const text = gunzipSync(readFileSync(join(EXAMPLES, "history.json.gz"))).toString("utf8");
  const { recordedMs } = History.parse(JSON.parse(text));
  const days = Math.floor((systemClock.now() - recordedMs) / DAY_MS);
  /** What the sandbox gave in place of a recorded id. */
  const actual = new Map<unknown, unknown>();
  const read = (): History =>
    History.parse(JSON.parse(text, (_, value: unknown) => actual.get(value) ?? addDays(value, days)));
  const { people, repositories, pulls, decisions: past } = read();
  clock.pastMs = pulls[0]?.pushes[0]?.atMs ?? null;
  for (const [login, id] of Object.entries(people))
    actual.set(id, sandbox.addMember({ organisation: owner, login }).id);
  for (const { id, name, policy } of repositories) {
    const files = { ".github/tollgate.yml": policy, "README.md": `# ${name}\n` };
    const repository = sandbox.createRepository({ owner, name, files });
    actual.set(id, repository.id);
    for (const login of Object.keys(people))
      sandbox.setCollaborator({ repository: `${owner}/${name}`, login, permission: "write" });
    for (const pull of pulls.filter((one) => one.repository === name)) {
      const approvals = past.filter((one) => one.repositoryId === id && one.number === pull.number);
      playPull({ sandbox, clock, actual }, pull, { id: repository.id, name: `${owner}/${name}` }, approvals);
    }
  }
  clock.pastMs = null;
  return async (db, { ownerId, installationId }) => {
    const { tables, decisions, repositories: known } = read();
    const place = { owner_id: ownerId, owner_login: owner, installation_id: installationId, figures: true };
    for (const { id, name } of known)
      await saveRepository(db, { ...place, repository_id: id, name }, new Date(systemClock.now()));
    await transact(db, async (trx) => {
      for (const [table, rows] of Object.entries(tables)) await insertRows(trx, table, rows);
      // The rows have their numbers; the next evaluation gets the number after them.
      await sql`select setval(pg_get_serial_sequence('evaluations', 'evaluation_id'), max(evaluation_id)) from evaluations`.execute(
        trx,
      );
      for (const { at, ...rest } of decisions) {
        const record = readRecord(JSON.stringify(rest));
        if (record === null)
          throw new TollgateError("internal", "the demo's history has an unknown decision");
        await appendRecord(trx, record, new Date(at));
      }
    });
  };
}

/** Moves a time in ms since 1970, and every day in a text. */
function addDays(value: unknown, days: number): unknown {
  if (typeof value === "number") return value > 1.6e12 && value < 2e12 ? value + days * DAY_MS : value;
  if (typeof value !== "string") return value;
  return value.replaceAll(/\b20\d\d-\d\d-\d\d/g, (day) =>
    new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10),
  );
}

interface Stage {
  readonly sandbox: Sandbox;
  readonly clock: DemoClock;
  readonly actual: Map<unknown, unknown>;
}

function playPull(
  { sandbox, clock, actual }: Stage,
  { number, title, author, pushes, ending, endMs, mergeSha }: RecordedPull,
  { id: repositoryId, name: repository }: { readonly id: number; readonly name: string },
  decisions: History["decisions"],
): void {
  const branch = `change-${number}`;
  for (const [at, { sha, atMs }] of pushes.entries()) {
    clock.pastMs = atMs;
    const files = { [`infra/${branch}.tf`]: `# ${title}, ${at + 1}\n` };
    actual.set(sha, sandbox.push({ repository, branch, files, message: title, by: author }).after);
  }
  clock.pastMs = pushes[0]?.atMs ?? endMs;
  sandbox.openPullRequest({ repository, head: branch, title, author });
  const key = { repositoryId, number };
  for (const { at, approval, approver, reason } of decisions) {
    if (approval?.startsWith("comment:") !== true || approver === undefined || actual.has(approval)) continue;
    clock.pastMs = Date.parse(at);
    const body = `/tollgate approve ${sandbox.pullRequest(key).headSha} ${reason}`;
    actual.set(approval, `comment:${sandbox.addComment(key, { body, by: approver.login }).id}`);
  }
  clock.pastMs = endMs;
  const ended =
    ending === "merged" ? sandbox.mergePullRequest(key, author) : sandbox.closePullRequest(key, author);
  if (mergeSha !== null) actual.set(mergeSha, ended.mergeCommitSha);
}

/** Inserts rows with the columns that they had when they were recorded. */
async function insertRows(
  trx: Trx,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(trx);
}
