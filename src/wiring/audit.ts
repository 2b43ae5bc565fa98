import type { Kysely } from "kysely";
import { TollgateError } from "../kernel/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { type AuditHead, type AuditLine, auditLines } from "../store/audit/audit-export.ts";
import { type Verified, verifyAudit } from "../store/audit/audit-verify.ts";
import { holdsDatabase } from "../store/empty-database.ts";
import { openStore } from "../store/open.ts";
import { findRepositoryByName } from "../store/repositories.ts";
import type { Tables } from "../store/tables.ts";
import { storeLocation } from "./store-location.ts";

export interface AuditRequest {
  /** `owner/name` or GitHub's numeric id; null: every repository. */
  readonly repository: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/**
 * Hands every line of the chain of decisions to `write`, in order, and returns its head. A directory without a database is
 * refused: an empty chain would say that nothing was ever decided.
 *
 * @throws TollgateError `usage`, and what `openStore` throws
 */
export async function exportAudit(
  settings: Settings,
  { repository, fromMs, toMs }: AuditRequest,
  write: (line: AuditLine | AuditHead) => void,
): Promise<AuditHead["head"]> {
  const { databaseUrl, dataDirectory } = settings;
  if (databaseUrl === null && !holdsDatabase(dataDirectory))
    throw new TollgateError("usage", `there is no Tollgate database in ${dataDirectory}`, {
      hint: "Set TOLLGATE_DATA or DATABASE_URL as `tollgate start` has it.",
    });
  const store = await openStore(storeLocation(settings), () => {});
  try {
    const repositoryId = repository === null ? null : await idOf(store.db, repository);
    let head: AuditHead["head"] = { seq: 0, hash: "" };
    for await (const line of auditLines(store.db, { repositoryId, fromMs, toMs })) {
      write(line);
      if ("head" in line) head = line.head;
    }
    return head;
  } finally {
    await store.close();
  }
}

/** Decisions outlive their repository, so a number is taken as it is. */
async function idOf(db: Kysely<Tables>, repository: string): Promise<number> {
  if (/^[1-9]\d{0,15}$/.test(repository)) return Number(repository);
  const found = await findRepositoryByName(db, repository);
  if (found !== undefined) return found.repository_id;
  throw new TollgateError("usage", `no repository ${JSON.stringify(repository)} is known here`, {
    hint: "Give owner/name as it is on GitHub now, or GitHub's numeric id of the repository.",
  });
}

/** Proves an export without any store or network. */
export const proveAudit = (lines: AsyncIterable<string>): Promise<Verified> => verifyAudit(lines);
