import { Hono } from "hono";
import type { Kysely } from "kysely";
import { z } from "zod";
import { type AuditHead, type AuditLine, readAuditLines } from "../../store/audit/chain.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { LINES_TYPE, streamLines } from "../stream-lines.ts";
import { createLocalAccess, type LocalConnection, type LocalRefusal, REFUSED_STATUS } from "./access.ts";
import { resolveRepositoryId } from "./repository-id.ts";

export interface AuditRequest {
  /** `owner/name` or GitHub's numeric id; null: every repository. */
  readonly repository: string | null;
  /** Start (inclusive) and end (exclusive), ms since 1970. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

export type AuditEntry = AuditLine | AuditHead;

/** Returns the current chain of decisions. The first read happens at the first line. */
export async function readAudit(
  db: Kysely<Tables>,
  { repository, ...time }: AuditRequest,
): Promise<{ readonly state: "read"; readonly entries: AsyncGenerator<AuditEntry> } | LocalRefusal> {
  const repositoryId = repository === null ? null : await resolveRepositoryId(db, repository);
  if (repositoryId !== undefined)
    return { state: "read", entries: readAuditLines(db, { repositoryId, ...time }) };
  return {
    state: "refused",
    message: `no repository ${JSON.stringify(repository)} is known here`,
    hint: "Give owner/name as it is on GitHub now, or GitHub's numeric id of the repository.",
  };
}

const PATH = "/tollgate/v1/audit";
export const AUDIT_TYPE = LINES_TYPE;

const Moment = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number)
  .optional();
const Query = z.strictObject({ repository: z.string().optional(), from: Moment, to: Moment });

/** Returns the path and query of `createAuditRoute`. */
export function buildAuditAddress({ repository, fromMs, toMs }: AuditRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ repository, from: fromMs, to: toMs }))
    if (value !== null) query.set(name, String(value));
  return `${PATH}?${query}`;
}

export interface AuditDeps {
  readonly db: Kysely<Tables>;
  /** Called for a failure after the response began; the response then ends early. */
  readonly onError: (error: unknown) => void;
}

/** `GET /tollgate/v1/audit`: the chain, a line of JSON for each decision, then its head. */
export function createAuditRoute(
  { db, onError }: AuditDeps,
  key: string,
): Hono<{ Bindings: LocalConnection }> {
  return new Hono<{ Bindings: LocalConnection }>().get(PATH, createLocalAccess(key), async (context) => {
    const query = Query.safeParse(context.req.query());
    if (!query.success) return context.json({ message: "not an audit request" }, 400);
    const { repository = null, from = null, to = null } = query.data;
    const read = await readAudit(db, { repository, fromMs: from, toMs: to });
    if (read.state === "refused") return context.json(read, REFUSED_STATUS);
    return context.body(streamLines(read.entries, onError), 200, { "content-type": AUDIT_TYPE });
  });
}
