import type { AuditHead, AuditLine } from "../../../store/audit/chain.ts";
import { readAuditLines } from "../../../store/audit/chain.ts";
import { readRecord } from "../../../store/audit/decision-record.ts";
import { hasShownFigures } from "../../../store/installations.ts";
import type { PageDeps } from "../../page/page.ts";

/**
 * For admins: how many decisions there are tells of repositories that others cannot read, and from the hash of a record without its
 * amount the amount can be guessed. Returns the whole chain as `tollgate audit export` writes it for one repository: its records in full, and the hashes of all other
 * decisions, so that the file can be verified. Where readers may not see figures, records with amounts are left out like those of
 * other repositories.
 */
export async function* readRepositoryChain(
  { db }: Pick<PageDeps, "db">,
  repositoryId: number,
): AsyncGenerator<AuditLine | AuditHead> {
  const hasFigures = await hasShownFigures(db, repositoryId);
  for await (const line of readAuditLines(db, { repositoryId, fromMs: null, toMs: null }))
    yield hasFigures || "head" in line || line.record === undefined || !mayHaveAmounts(line.record)
      ? line
      : { seq: line.seq, previous: line.previous, hash: line.hash };
}

/** A record that cannot be read may have amounts. */
function mayHaveAmounts(text: string): boolean {
  const record = readRecord(text);
  if (record === null) return true;
  if (record.kind === "verdict") return false;
  if (record.kind === "approval") return record.upTo !== null;
  return record.open.some(({ amount, limit }) => amount !== null || limit !== null);
}
