import type { IncomingMessage } from "node:http";
import type { Settings } from "../settings/settings.ts";
import type { AuditHead } from "../store/audit/audit-export.ts";
import { type AuditVerification, auditEntryIn, verifyAudit } from "../store/audit/audit-verify.ts";
import {
  AUDIT_TYPE,
  type AuditEntry,
  type AuditRequest,
  auditAddress,
  readAudit,
} from "../web/local/audit.ts";
import { answerLines, cutOff, notUnderstood } from "./process/answer-lines.ts";
import { readStore, refused } from "./process/read-store.ts";

/** Receives one line; the next line is read when its promise is fulfilled. */
type Write = (entry: AuditEntry) => void | Promise<void>;

/**
 * Passes every line of the decision chain to `write`, in order, and returns its head. With the embedded
 * database it reads from the Tollgate process that uses the data directory, if there is one.
 *
 * @throws TollgateError `usage`, and what `readStore` and `openStore` throw
 */
export function exportAudit(
  settings: Settings,
  request: AuditRequest,
  write: Write,
): Promise<AuditHead["head"]> {
  return readStore(settings, {
    question: { address: auditAddress(request), type: AUDIT_TYPE },
    heard: (body) => passOn(entriesIn(body), write),
    opened: async (db) => {
      const read = await readAudit(db, request);
      if (read.state === "refused") throw refused(read);
      return passOn(read.entries, write);
    },
  });
}

async function passOn(entries: AsyncIterable<AuditEntry>, write: Write): Promise<AuditHead["head"]> {
  for await (const entry of entries) {
    await write(entry);
    if ("head" in entry) return entry.head;
  }
  throw cutOff();
}

async function* entriesIn(body: IncomingMessage): AsyncGenerator<AuditEntry> {
  for await (const line of answerLines(body)) {
    const entry = auditEntryIn(line);
    if (entry === null) throw notUnderstood();
    yield entry;
  }
}

/** Verifies an export without store or network. */
export const proveAudit = (lines: AsyncIterable<string>): Promise<AuditVerification> => verifyAudit(lines);
