import { z } from "zod";
import { FACT_NAMES } from "../../policy/model/fact-names.ts";
import { unknownReason } from "./facts-schema.ts";
import { count, decimal, money, texts } from "./scalars.ts";

export const enforcement = z.enum(["block", "warn"]);

export const limit = z.union([
  z.object({
    kind: z.enum(["increase", "decrease", "total", "missed-savings", "budget"]),
    amount: money,
  }),
  z.object({ kind: z.literal("percent"), percent: decimal }),
  z.object({ kind: z.literal("unit-cost"), metric: z.string(), percent: decimal }),
  z.object({
    kind: z.enum([
      "deletions",
      "replacements",
      "changes",
      "drift",
      "unpriced",
      "usage",
      "anomalies",
      "governance-failures",
    ]),
    count: z.number(),
    existing: z.literal("include").exactOptional(),
  }),
  z.object({ kind: z.literal("when"), expression: z.string(), needs: z.array(z.enum(FACT_NAMES)) }),
]);

export const measuredValue = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("money"), amount: decimal, currency: z.string() }),
  z.object({ kind: z.literal("percent"), percent: decimal }),
  z.object({ kind: z.literal("increase_from_zero") }),
  z.object({ kind: z.literal("condition"), count: count.nullable() }),
  z.object({ kind: z.literal("count"), count: z.number() }),
]);

const pullMember = z.enum(["branches", "authors", "labels", "paths"]);

const undecidedReason = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("unknown"), reason: unknownReason }),
  z.object({ kind: z.literal("partial") }),
  z.object({ kind: z.literal("usage"), count, names: texts }),
  z.object({ kind: z.literal("inconsistent") }),
  z.object({ kind: z.literal("condition_failed"), problem: z.string() }),
  z.object({ kind: z.literal("other_currency"), found: z.string(), expected: z.string() }),
  z.object({ kind: z.literal("scope_unknown"), members: z.array(pullMember) }),
]);

const scopeMismatch = z.object({
  member: z.enum([...pullMember.options, "stages", "workspaces", "modules", "resource_types", "providers"]),
  patterns: texts,
  here: texts,
  more: count,
  meant: z.string().nullable(),
  elsewhere: z.literal(true).exactOptional(),
  excluded: z.literal(true).exactOptional(),
});

const approverGroup = z.object({
  teams: texts,
  users: texts,
  permission: z.enum(["write", "maintain", "admin"]).nullable(),
  count,
});

const finding = z.object({
  rule: z.string(),
  outcome: z.enum(["passed", "violated", "undecided", "not_applicable"]),
  enforce: enforcement,
  onUnknown: enforcement,
  mandatory: z.boolean(),
  limit,
  per: z.enum(["pull-request", "stage", "module", "resource-type"]),
  subject: z.string().nullable(),
  others: count,
  measured: measuredValue.nullable(),
  alreadyAbove: z.literal(true).exactOptional(),
  because: z.array(undecidedReason),
  mismatch: scopeMismatch.exactOptional(),
  message: z.string().nullable(),
  items: texts,
  waiver: z.object({ owner: z.string(), reason: z.string(), untilMs: z.number() }).nullable(),
  approve: z.object({ groups: z.array(approverGroup), reviews: z.boolean() }).nullable(),
  approved: z.boolean(),
});

export const verdict = z.object({
  kind: z.enum(["pass", "warn", "block", "undecided"]),
  findings: z.array(finding),
});
