import { z } from "zod";
import { parseRecord } from "./decision-record.ts";
import { computeChainHash } from "./decisions.ts";

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Line = z.strictObject({
  seq: z.int().positive(),
  previous: Hash,
  hash: Hash,
  record: z.string().optional(),
});
const Head = z.strictObject({ head: z.strictObject({ seq: z.int().nonnegative(), hash: Hash }) });

/** The result of the check of an export. Lines count from 1. */
export type AuditVerification =
  | {
      readonly state: "whole";
      readonly decisions: number;
      /** How many of them have their record in the file. */
      readonly included: number;
      readonly head: { readonly seq: number; readonly hash: string };
    }
  /** All lines are valid, and the line that ends an export is missing. */
  | { readonly state: "cut"; readonly head: { readonly seq: number; readonly hash: string } }
  | { readonly state: "broken"; readonly line: number; readonly problem: AuditProblem };

export type AuditProblem =
  | "not_a_line"
  /** The line's number in the chain does not follow the number of the line before. */
  | "gap"
  /** The line's previous hash is not the hash of the line before. */
  | "not_linked"
  /** The record does not match its hash. */
  | "changed"
  /** The record belongs to another position in the chain. */
  | "misplaced"
  /** The last line names a head other than the last decision in the file. */
  | "other_head"
  /** Another line follows the last line. */
  | "after_end";

/** The hash before the first decision. */
export const GENESIS = "0".repeat(64);

interface ChainPosition {
  readonly seq: number;
  readonly hash: string;
  readonly included: number;
  readonly isEnded: boolean;
}

/**
 * Checks an export line by line, offline: every hash, every link, every position. Stops at the first invalid
 * line.
 */
export async function verifyAudit(lines: AsyncIterable<string>): Promise<AuditVerification> {
  let chain: ChainPosition = { seq: 0, hash: GENESIS, included: 0, isEnded: false };
  let line = 0;
  for await (const text of lines) {
    line += 1;
    const next = extendChain(chain, parseAuditEntry(text));
    if (typeof next === "string") return { state: "broken", line, problem: next };
    chain = next;
  }
  const { seq, hash, included, isEnded } = chain;
  const head = { seq, hash };
  return isEnded ? { state: "whole", decisions: seq, included, head } : { state: "cut", head };
}

/** Returns the chain with one line added, or the line's problem. */
function extendChain(chain: ChainPosition, read: AuditExportLine | null): ChainPosition | AuditProblem {
  if (chain.isEnded) return "after_end";
  const problem = findLineProblem(read, chain);
  if (problem !== null || read === null) return problem ?? "not_a_line";
  if ("head" in read) return { ...chain, isEnded: true };
  const included = chain.included + (read.record === undefined ? 0 : 1);
  return { seq: read.seq, hash: read.hash, included, isEnded: false };
}

export type AuditExportLine = z.infer<typeof Line> | z.infer<typeof Head>;

/** Parses a line of an export; null: the text is not a valid line. */
export function parseAuditEntry(text: string): AuditExportLine | null {
  const value = parseRecord(text);
  const line = Line.safeParse(value);
  if (line.success) return line.data;
  const head = Head.safeParse(value);
  return head.success ? head.data : null;
}

/** Returns why a line cannot follow the decision before it; null: it can. */
export function findLineProblem(
  read: AuditExportLine | null,
  before: { readonly seq: number; readonly hash: string },
): AuditProblem | null {
  if (read === null) return "not_a_line";
  if ("head" in read)
    return read.head.seq === before.seq && read.head.hash === before.hash ? null : "other_head";
  if (read.seq !== before.seq + 1) return "gap";
  if (read.previous !== before.hash) return "not_linked";
  if (read.record === undefined) return null;
  if (computeChainHash(read.previous, read.record) !== read.hash) return "changed";
  return parseSeq(read.record) === read.seq ? null : "misplaced";
}

/** Returns the chain position inside a record. It prevents that a record is moved to another position. */
function parseSeq(record: string): number | null {
  const own = z.object({ seq: z.int() }).safeParse(parseRecord(record));
  return own.success ? own.data.seq : null;
}
