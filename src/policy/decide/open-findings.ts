import { z } from "zod";
import { money, type ValueOf } from "../../kernel/schemas.ts";
import { decideEffect } from "../evaluate/evaluate-policy.ts";
import type { Finding } from "../model/finding.ts";
import type { Situation } from "../model/situation.ts";

/** A finding that holds a check back. Amounts are null where the rule is not about money, or figures may not be shown. */
export const OpenFinding = z.object({
  rule: z.string(),
  outcome: z.enum(["violated", "undecided"]),
  /** See `Finding.subject`. */
  subject: z.string().nullable(),
  /** What the rule found, per month. */
  amount: money.nullable(),
  limit: money.nullable(),
});
export type OpenFinding = ValueOf<typeof OpenFinding>;

/** Returns the findings that hold a check back, as the evaluation before an override or a merge has them. */
export function listOpenFindings(situation: Situation, figures: boolean): readonly OpenFinding[] {
  const findings = "verdict" in situation ? (situation.verdict?.findings ?? []) : [];
  return findings.flatMap((finding) => {
    const { rule, subject } = finding;
    const effect = decideEffect(finding);
    if (effect !== "block" && effect !== "undecided") return [];
    const outcome = effect === "block" ? "violated" : "undecided";
    return [{ rule, outcome, subject, ...(figures ? getAmounts(finding) : NO_AMOUNTS) }];
  });
}

const NO_AMOUNTS = { amount: null, limit: null };

function getAmounts({ measured, limit }: Finding): Pick<OpenFinding, "amount" | "limit"> {
  const amount = measured?.kind === "money" ? { amount: measured.amount, currency: measured.currency } : null;
  return { amount, limit: "amount" in limit ? limit.amount : null };
}
