import { z } from "zod";
import { measuredValue } from "./finding-schema.ts";
import { count, money, texts } from "./scalars.ts";

const coveredFinding = z.object({
  subject: z.string().nullable(),
  measured: measuredValue.nullable(),
  items: texts,
});

export const approval = z.object({
  id: z.string(),
  approver: z.object({ id: z.int(), login: z.string() }),
  headSha: z.string(),
  baseRef: z.string(),
  givenMs: z.number(),
  reason: z.string(),
  upTo: money.nullable(),
  covered: z.array(
    z.object({
      rule: z.string(),
      wording: z.string(),
      groups: z.array(count),
      findings: z.array(coveredFinding),
    }),
  ),
  violated: texts,
  ground: z.array(z.object({ stage: z.string(), currency: z.string().nullable() })),
  figures: z.string(),
});

export const lapse = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("retargeted"), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal("ground_changed") }),
  z.object({
    kind: z.enum(["rule_changed", "other_rule_violated", "fact_unknown", "over_amount", "grown"]),
    rule: z.string(),
  }),
  z.object({ kind: z.enum(["approver_contributed", "approver_unauthorized", "contributors_unknown"]) }),
]);

export const revocation = z.object({ kind: z.string() });

const offer = z.object({
  commands: z.array(z.object({ rules: texts, upTo: money.nullable() })),
  rules: texts,
  opensGate: z.boolean(),
  why: z
    .enum([
      "other_head",
      "evaluated_later",
      "not_evaluated",
      "undecided",
      "nothing_to_approve",
      "unknown_rule",
      "not_violated",
      "not_approvable",
      "not_an_approver",
      "groups_unknown",
      "approver_contributed",
      "contributors_unknown",
      "no_permission",
      "amount_missing",
      "amount_currency",
      "amount_too_low",
      "too_many",
      "edited",
      "late",
      "taken_back",
    ])
    .nullable(),
});

export const approvals = z.object({
  live: z.array(approval),
  lapsed: z.array(z.object({ approval, why: lapse })),
  missing: z.array(z.object({ rule: z.string(), groups: z.array(z.object({ group: count, lacks: count })) })),
  offer: offer.exactOptional(),
});

export const override = z.object({
  id: z.string(),
  person: z.object({ id: z.int(), login: z.string() }),
  headSha: z.string(),
  baseRef: z.string(),
  policyBlobs: z.string(),
  givenMs: z.number(),
  reason: z.string(),
});
