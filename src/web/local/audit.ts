import { Hono } from "hono";
import { z } from "zod";
import { type AuditHead, type AuditLine, readAuditLines } from "../../store/audit/chain.ts";
import { LINES_TYPE, streamLines } from "../stream-lines.ts";
import { type LocalRefusal, REFUSED_STATUS } from "./access.ts";
import { isRefusal, LOCAL_PATH, type LocalDeps, readInput } from "./operation.ts";
import { resolveRepositoryId } from "./repository-id.ts";

export const AuditRequest = z.strictObject({
  /** `owner/name` or GitHub's numeric id; null: every repository. */
  repository: z.string().nullable(),
  /** Start (inclusive) and end (exclusive), ms since 1970. */
  fromMs: z.int().nullable(),
  toMs: z.int().nullable(),
});
export type AuditRequest = Readonly<z.infer<typeof AuditRequest>>;

export type AuditEntry = AuditLine | AuditHead;

/** Returns the current chain of decisions. The first read happens at the first line. */
export async function readAudit(
  { db }: Pick<LocalDeps, "db">,
  { repository, ...time }: AuditRequest,
): Promise<AsyncGenerator<AuditEntry> | LocalRefusal> {
  const repositoryId = repository === null ? null : await resolveRepositoryId(db, repository);
  if (repositoryId !== undefined) return readAuditLines(db, { repositoryId, ...time });
  return {
    state: "refused",
    message: `no repository ${JSON.stringify(repository)} is known here`,
    hint: "Give owner/name as it is on GitHub now, or GitHub's numeric id of the repository.",
  };
}

export const AUDIT_PATH = `${LOCAL_PATH}/read-audit`;

/** Serves the chain: a line of JSON for each decision, then its head. `onError`: see `LocalRoutesOptions`. */
export const createAuditRoute = (deps: Pick<LocalDeps, "db">, onError: (error: unknown) => void): Hono =>
  new Hono().post(AUDIT_PATH, async (context) => {
    const request = await readInput(context.req.raw, AuditRequest);
    if (!request.success) return context.json({ message: "not an audit request" }, 400);
    const entries = await readAudit(deps, request.data);
    if (isRefusal(entries)) return context.json(entries, REFUSED_STATUS);
    return context.body(streamLines(entries, onError), 200, { "content-type": LINES_TYPE });
  });
