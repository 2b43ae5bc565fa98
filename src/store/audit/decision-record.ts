import { z } from "zod";
import { parseJson } from "../../kernel/parse-json.ts";
import { money, texts, type ValueOf } from "../../kernel/schemas.ts";
import { OpenFinding } from "../../policy/decide/situation.ts";
import { Approver } from "../../policy/model/approval.ts";

/** Head and base branch at the time of the decision. */
const place = { repositoryId: z.int(), number: z.int(), headSha: z.string(), baseRef: z.string() };
/** Why it was refused or ended; null: it was given. */
const why = z.object({ kind: z.string() }).nullable();
/** What held the check of a pull request back. */
const openState = {
  /** Kind of the situation of the newest evaluation of this head and base branch; null: it was never evaluated. */
  situation: z.string().nullable(),
  /** Findings that block, or would block if they were known. */
  open: z.array(OpenFinding),
};

const VerdictRecord = z.object({
  kind: z.literal("verdict"),
  ...place,
  checkName: z.string(),
  /** Digest of head, base branch, policy blobs, facts and approvals. */
  digest: z.string(),
  situation: z.string(),
  decision: z.string(),
  policyBlobs: texts,
  /** Strict: a record with another member cannot be read, so nobody takes it for one without amounts. */
  findings: z.array(
    z.strictObject({
      rule: z.string(),
      outcome: z.string(),
      subject: z.string().nullable(),
      /** Of a finding that does not hold the check back: it only warns, is waived or approved. */
      holds: z.literal(false).exactOptional(),
    }),
  ),
  /** The override that let the check pass, as `comment:<id>`; absent: none did. */
  override: z.string().exactOptional(),
});
export type VerdictRecord = ValueOf<typeof VerdictRecord>;

/** One turn in the life of an approval. */
const ApprovalRecord = z.object({
  kind: z.literal("approval"),
  ...place,
  turn: z.enum(["approved", "refused", "revoked", "lapsed"]),
  /** `comment:<id>` or `review:<id>`. */
  approval: z.string(),
  approver: Approver,
  rules: texts,
  upTo: money.nullable(),
  /** The last day, such as `2027-03-31`; absent: it has no end. */
  until: z.string().exactOptional(),
  reason: z.string(),
  why,
});
export type ApprovalRecord = ValueOf<typeof ApprovalRecord>;

/** One turn in the life of an override. */
const OverrideRecord = z.object({
  kind: z.literal("override"),
  ...place,
  ...openState,
  turn: z.enum(["given", "refused", "ended"]),
  /** `comment:<id>`. */
  override: z.string(),
  policyBlobs: z.string(),
  person: Approver,
  reason: z.string(),
  why,
});
export type OverrideRecord = ValueOf<typeof OverrideRecord>;

/** A merge although the check did not pass. A pull request has one at most. */
const MergeRecord = z.object({
  kind: z.literal("merge"),
  ...place,
  ...openState,
  /** The commit on the base branch; null: GitHub does not say. */
  mergeSha: z.string().nullable(),
  /** ISO 8601. */
  mergedAt: z.string(),
  /** Person or bot that merged; null: GitHub does not say. */
  mergedBy: z.object({ id: z.int().nullable(), login: z.string() }).nullable(),
  checkName: z.string(),
  /** Conclusion of the newest check, else its status; `missing`: there was none. */
  check: z.string(),
});
export type MergeRecord = ValueOf<typeof MergeRecord>;

/** What the apply gate answered. It has no amounts. */
const ApplyRecord = z.object({
  kind: z.literal("apply"),
  ...place,
  /** The commit that was to be applied. */
  sha: z.string(),
  workspace: z.string(),
  result: z.enum(["within", "exceeds", "undecided"]),
  /** Why it is undecided. */
  because: texts,
  differences: z.int(),
  /** Numbers of the pull requests whose evaluations were compared. */
  pulls: z.array(z.int()),
  /** The token or the CI job that asked. */
  actor: z.string(),
});
export type ApplyRecord = ValueOf<typeof ApplyRecord>;

/** The stored content of one decision: plain JSON, no secrets, no sensitive values. */
const DecisionRecord = z.discriminatedUnion("kind", [
  VerdictRecord,
  ApprovalRecord,
  OverrideRecord,
  MergeRecord,
  ApplyRecord,
]);
export type DecisionRecord = ValueOf<typeof DecisionRecord>;

/** Reads a record; null: it was changed, or a newer version wrote it. */
export const readRecord = (text: string): DecisionRecord | null =>
  DecisionRecord.safeParse(parseJson(text)).data ?? null;

/** Returns the rules that a record names, each once. */
export function listRules(record: DecisionRecord): readonly string[] {
  if (record.kind === "approval") return record.rules;
  if (record.kind === "apply") return [];
  const findings = record.kind === "verdict" ? record.findings : record.open;
  return [...new Set(findings.map(({ rule }) => rule))];
}

/** Returns the login of the person who decided; null: nobody did, or it is not known who. */
export function getPerson(record: DecisionRecord): string | null {
  if (record.kind === "verdict" || record.kind === "apply") return null;
  if (record.kind === "merge") return record.mergedBy?.login ?? null;
  if (record.kind === "override") return record.person.login;
  return record.approver.login;
}
