import { z } from "zod";
import {
  attributeChange,
  changeCounts,
  changeKind,
  changeRow,
  componentCost,
  delta,
  fact,
  moduleCost,
  unknownReason,
  unpriced,
  usageBased,
  usageResource,
} from "./facts-schema.ts";
import { count, decimal, money, texts } from "./scalars.ts";

const usageCounts = z.object({ before: count, after: count, introduced: count, deleted: count });

/** The members of `CostLine`. */
const costLine = {
  ...delta,
  currency: z.string().nullable(),
  state: z.enum(["known", "partial", "inconsistent", "unknown"]),
  because: z.array(unknownReason),
  usage: usageCounts.optional(),
};

/** The members that say where in the report something is. */
const place = { workspace: z.string(), stage: z.string(), currency: z.string() };

const stageReport = z.object({
  ...costLine,
  org: z.string(),
  project: z.string(),
  workspace: z.string(),
  executionId: z.string(),
  executionPage: z.string().exactOptional(),
  source: z.enum(["status", "check", "audit", "notification", "assumed", "file"]),
  proven: z.boolean(),
  status: z.enum(["succeeded", "failed", "pending", "unknown"]),
  createdMs: z.number().nullable(),
  superseded: texts,
  name: z.string(),
  counts: changeCounts.nullable(),
  countsBecause: unknownReason.nullable(),
  modules: z.array(moduleCost).nullable(),
  modulesBecause: unknownReason.nullable(),
  types: z.array(z.object({ ...delta, type: z.string() })).nullable(),
  omittedRows: count,
  unreadRows: count,
  rowsBecause: unknownReason.nullable(),
  narrowed: z.object({ amountsAreWhole: z.boolean(), resources: count }).nullable(),
  unpriced: unpriced.nullable(),
  usageBased: z.object({ ...usageBased, isStated: z.boolean() }).exactOptional(),
  problems: texts,
});

export const totalReport = z.object({ ...costLine, currency: z.string() });

const resourceReport = z.object({
  ...delta,
  ...place,
  address: z.string(),
  type: z.string(),
  module: z.string(),
  action: changeKind.nullable(),
  changedAttributes: texts.nullable(),
  attributeChanges: z.array(attributeChange).exactOptional(),
  components: z.array(componentCost).exactOptional(),
  usageBased: z.boolean(),
});

const lifetime = z.object({ ms: z.number().nullable(), onDate: z.string().nullable() });

const schedule = z.object({
  org: z.string(),
  project: z.string(),
  provisioner: z.string(),
  driftEveryMs: z.number().nullable(),
  lifetime: lifetime.nullable(),
});

const saving = z.object({
  recommendationId: z.string(),
  address: z.string(),
  workspace: z.string(),
  resourceType: z.string(),
  change: changeKind,
  monthly: money,
});

const anomaly = z.object({
  id: z.string(),
  resource: z.string(),
  perspective: z.string().nullable(),
  spend: money.nullable(),
});

/** The members of `UnitCost`. */
export const unitCost = {
  metric: z.string(),
  name: z.string(),
  perspective: z.string().nullable(),
  before: decimal.nullable(),
  after: decimal.nullable(),
  asOf: z.string().nullable(),
  currency: z.string(),
};

const contextFacts = z.object({
  schedules: fact(z.array(schedule)),
  savings: fact(z.object({ totals: z.array(money), items: z.array(saving), unmatched: count })),
  anomalies: fact(z.object({ count, impact: money.nullable(), items: z.array(anomaly) })),
  governance: fact(
    z.object({ day: z.string(), failed: count, total: count, statuses: z.record(z.string(), count) }),
  ),
  unitCosts: fact(z.array(z.object(unitCost))),
  prompts: fact(z.array(z.object({ description: z.string(), resource: z.string(), types: texts }))),
});

export const report = z.object({
  totals: z.array(totalReport),
  stages: z.array(stageReport),
  modules: z.array(z.object({ ...costLine, module: z.string(), unattributed: z.boolean() })),
  modulesBecause: z.array(unknownReason),
  resourceTypes: z.array(z.object({ ...costLine, type: z.string(), unattributed: z.boolean() })),
  resources: z.array(resourceReport),
  changes: changeCounts.nullable(),
  changesAreComplete: z.boolean(),
  rows: z.array(z.object({ ...changeRow, workspace: z.string(), stage: z.string() })),
  omittedRows: count,
  unpriced: unpriced.nullable(),
  unpricedIsComplete: z.boolean(),
  usageBased: z
    .array(
      z.object({
        ...usageResource,
        module: z.string(),
        workspace: z.string(),
        stage: z.string(),
        currency: z.string().nullable(),
      }),
    )
    .exactOptional(),
  usage: usageCounts.optional(),
  drift: z.array(z.object({ ...place, split: z.object({ drift: decimal, own: decimal }).nullable() })),
  lifetimes: z.array(z.object({ ...place, lifetimeMs: z.number(), amount: decimal })),
  context: contextFacts,
  refused: z.array(
    z.object({
      org: z.string(),
      project: z.string(),
      executionId: z.string(),
      reason: z.enum(["not_granted", "other_account"]),
    }),
  ),
});
