import type { IncomingMessage } from "node:http";
import type { Settings } from "../settings/settings.ts";
import type { AuditHead } from "../store/audit/chain.ts";
import { type AuditVerification, parseAuditEntry, verifyAudit } from "../store/audit/chain.ts";
import {
  AUDIT_TYPE,
  type AuditEntry,
  type AuditRequest,
  buildAuditAddress,
  readAudit,
} from "../web/local/audit.ts";
import { createCutOffError, createUnknownAnswerError, readAnswerLines } from "./process/ask-process.ts";
import { createUsageError, useStore } from "./process/use-store.ts";

/** Receives one line; the next line is read when its promise is fulfilled. */
type AuditWriter = (entry: AuditEntry) => void | Promise<void>;

/**
 * Passes every line of the decision chain to `write`, in order, and returns its head. With the embedded
 * database it reads from the Tollgate process that uses the data directory, if there is one.
 *
 * @throws TollgateError `usage`, and what `useStore` and `openStore` throw
 */
export function exportAudit(
  settings: Settings,
  request: AuditRequest,
  write: AuditWriter,
): Promise<AuditHead["head"]> {
  return useStore(settings, {
    request: { address: buildAuditAddress(request), type: AUDIT_TYPE },
    readAnswer: (body) => writeEntries(readEntries(body), write),
    useDatabase: async (db) => {
      const read = await readAudit(db, request);
      if (read.state === "refused") throw createUsageError(read);
      return writeEntries(read.entries, write);
    },
  });
}

async function writeEntries(
  entries: AsyncIterable<AuditEntry>,
  write: AuditWriter,
): Promise<AuditHead["head"]> {
  for await (const entry of entries) {
    await write(entry);
    if ("head" in entry) return entry.head;
  }
  throw createCutOffError();
}

async function* readEntries(body: IncomingMessage): AsyncGenerator<AuditEntry> {
  for await (const line of readAnswerLines(body)) {
    const entry = parseAuditEntry(line);
    if (entry === null) throw createUnknownAnswerError();
    yield entry;
  }
}

/** Verifies an export without store or network. */
export const checkAudit = (lines: AsyncIterable<string>): Promise<AuditVerification> => verifyAudit(lines);
