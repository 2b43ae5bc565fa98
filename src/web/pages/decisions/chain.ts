import { setTimeout as sleep } from "node:timers/promises";
import { HOUR_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import {
  type AuditHead,
  type AuditLine,
  type AuditProblem,
  CHAIN_START,
  readAuditLines,
  verifyNextPart,
} from "../../../store/audit/chain.ts";
import { readRecord } from "../../../store/audit/decision-record.ts";
import { findRepository } from "../../../store/repositories.ts";
import type { PageDeps } from "../../page/page.ts";

/** What is known of the stored chain of decisions. Times in ms since 1970. */
export type ChainState =
  | { readonly state: "whole"; readonly decisions: number; readonly verifiedMs: number }
  /** The first `verified` of `decisions` are whole; the others are being verified. Null: their number is not read yet. */
  | { readonly state: "verifying"; readonly verified: number; readonly decisions: number | null }
  | {
      readonly state: "broken";
      readonly seq: number;
      readonly problem: AuditProblem;
      readonly verifiedMs: number;
    };

/** Verifies the stored chain in parts and remembers how far it came. */
export interface ChainVerifier {
  /** Verifies what is new, and answers after `patienceMs` at the latest; a longer verification continues. */
  examine(): Promise<ChainState>;
}

/** After this time, in ms, the chain is verified from its first decision again: an old row may have been changed. */
const AGAIN_MS = HOUR_MS;
/** A broken chain is looked at again after this time, in ms. */
const BROKEN_AGAIN_MS = MINUTE_MS;

export function createChainVerifier(
  { db, clock }: Pick<PageDeps, "db" | "clock">,
  { patienceMs = 250 }: { readonly patienceMs?: number } = {},
): ChainVerifier {
  let position = CHAIN_START;
  /** When the verification began at the first decision. */
  let startedMs = clock.now();
  /** Null: it has just begun. */
  let state: ChainState | null = null;
  let running: Promise<void> | null = null;
  const verify = async (): Promise<void> => {
    const limit = state?.state === "broken" ? BROKEN_AGAIN_MS : AGAIN_MS;
    if (clock.now() - startedMs > limit) [position, startedMs, state] = [CHAIN_START, clock.now(), null];
    if (state?.state === "broken") return;
    do {
      const part = await verifyNextPart(db, position);
      state = describePart(part, clock.now());
      if (part.state === "broken") startedMs = clock.now();
      else position = part.position;
    } while (state.state === "verifying");
  };
  return {
    examine: async () => {
      running ??= verify().finally(() => {
        running = null;
      });
      running.catch(() => {}); // who still waits gets the error; a later examination tries again
      const late = new AbortController();
      await Promise.race([running, sleep(patienceMs, undefined, { signal: late.signal, ref: false })]);
      late.abort();
      return state ?? { state: "verifying", verified: 0, decisions: null };
    },
  };
}

function describePart(part: Awaited<ReturnType<typeof verifyNextPart>>, verifiedMs: number): ChainState {
  if (part.state === "broken") return { state: "broken", seq: part.seq, problem: part.problem, verifiedMs };
  const { head, position } = part;
  return position.seq === head
    ? { state: "whole", decisions: head, verifiedMs }
    : { state: "verifying", verified: position.seq, decisions: head };
}

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
  const hasFigures = (await findRepository(db, repositoryId))?.figures === true;
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
