import { HOUR_MS } from "../../kernel/clock.ts";
import { minus, ZERO } from "../../kernel/money.ts";
import { listMissedSavings } from "../../report/model/context.ts";
import type { ChangeCounts, ChangeKind, CostDelta, Fact } from "../../report/model/facts.ts";
import type { Report, ReportedRow } from "../../report/model/report.ts";
import { type AttributesByRow, buildRowId } from "../../report/model/resource-attributes.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import type { EvaluationContext } from "../model/context.ts";
import { parseProvider } from "../scope/scope.ts";
import { createElement } from "./environment.ts";
import { createAttributeMap, createTagMap } from "./unknown-values.ts";

/** The values that an expression reads, by the names of `VARIABLES`. */
export type ConditionValues = Readonly<Record<string, unknown>>;

/**
 * Creates the values for expressions from a report. Unknown facts have a value too, because the language
 * requires one: the caller must first check that every fact that the expression needs is known.
 */
export function createValues(
  report: Report,
  context: EvaluationContext,
  attributes: Fact<AttributesByRow>,
): ConditionValues {
  const { savings, anomalies, governance, unitCosts, prompts } = report.context;
  const total = report.totals[0] ?? { ...UNKNOWN_DELTA, currency: "" };
  const rows = report.rows.filter(({ change }) => change !== "moved");
  const getAttributes = createAttributeReader(attributes);
  return {
    pull: createElement("Pull", { ...context, base: context.baseRef, labels: context.labels ?? [] }),
    cost: createElement("Cost", withPercent(total)),
    costs: report.totals.map((line) => createElement("Cost", withPercent(line))),
    stages: report.stages.map((stage) =>
      createElement("Stage", {
        ...withPercent(stage),
        ...(stage.counts ?? NO_COUNTS),
        unpriced: stage.unpriced?.count,
        usage: stage.usage?.after,
      }),
    ),
    modules: report.modules
      .filter(({ unattributed }) => !unattributed)
      .map((line) => createElement("Module", { ...withPercent(line), path: line.module })),
    resources: report.resources.map((resource) =>
      createElement("Resource", {
        ...withPercent(withProvider(resource)),
        ...getAttributes(resource, resource.action, ["attributes_before", "attributes_after"]),
      }),
    ),
    changes: createElement("Changes", {
      ...(report.changes ?? NO_COUNTS),
      rows: rows.map((row) =>
        createElement("Row", {
          ...withProvider(row),
          action: row.change,
          ...getAttributes(row, row.change, ["before", "after"]),
        }),
      ),
    }),
    invocations: report.stages.flatMap(({ workspace, planNotes, ...stage }) =>
      (planNotes?.invocations.listed ?? []).map((invocation) =>
        createElement("Invocation", {
          ...withProvider(invocation),
          workspace,
          stage: buildStageKey({ ...stage, workspace }),
        }),
      ),
    ),
    unpriced: createElement("Unpriced", {
      count: report.unpriced?.count,
      types: Object.keys(report.unpriced?.types ?? {}),
    }),
    usage: createElement("Usage", {
      count: report.usage?.after,
      introduced: report.usage?.introduced,
      deleted: report.usage?.deleted,
      resources: (report.usageBased ?? []).map((one) =>
        createElement("UsageResource", { ...withProvider(one), action: one.change }),
      ),
    }),
    drift: report.drift.flatMap(({ split, ...stage }) =>
      split === null ? [] : [createElement("Drift", { ...stage, ...split })],
    ),
    lifetimes: report.lifetimes.map((lifetime) =>
      createElement("Lifetime", { ...lifetime, hours: lifetime.lifetimeMs / HOUR_MS }),
    ),
    savings: listMissedSavings(findKnownValue(savings) ?? { items: [] }).map((saving) => {
      const { amount, currency } = saving.monthly;
      return createElement("Saving", { ...saving, type: saving.resourceType, monthly: amount, currency });
    }),
    anomalies: createElement("Anomalies", {
      count: findKnownValue(anomalies)?.count,
      cost: findKnownValue(anomalies)?.impact?.amount ?? null,
      currency: findKnownValue(anomalies)?.impact?.currency ?? null,
    }),
    governance: createElement("Governance", {
      failed: findKnownValue(governance)?.failed,
      total: findKnownValue(governance)?.total,
    }),
    unit_costs: (findKnownValue(unitCosts) ?? []).map((unit) => {
      const { before, after } = unit;
      const change = before === null || after === null ? null : minus(after, before);
      return createElement("UnitCost", withPercent({ ...unit, change }));
    }),
    // One value per Terraform resource type, so that conditions can use the type names of the code.
    governance_prompts: (findKnownValue(prompts) ?? []).flatMap(({ types, ...prompt }) =>
      types.map((type) => createElement("GovernancePrompt", { ...prompt, type })),
    ),
  };
}

type Tagged = Pick<ReportedRow, "address" | "type" | "workspace" | "stage" | "tags">;

/** Returns a reader of tags and attributes; `change`: what happens to the resource, null or a move: nothing does. */
function createAttributeReader(attributes: Fact<AttributesByRow>) {
  const known = findKnownValue(attributes);
  return <const Side extends string>(
    { address, type, workspace, stage, tags }: Tagged,
    change: ChangeKind | null,
    [before, after]: readonly [Side, Side],
  ) => {
    const name = `${address} in ${workspace}`;
    const stays = known !== null && (change === null || change === "moved");
    const own = stays ? NO_ATTRIBUTES : change && known?.[buildRowId(stage, { change, address })];
    return {
      tags: createTagMap(tags, { name, type }),
      [before]: createAttributeMap(own?.before, { name, member: "before" }),
      [after]: createAttributeMap(own?.after, { name, member: "after" }),
    } as { readonly tags: object } & { readonly [side in Side]: object }; // the two sides
  };
}

const NO_ATTRIBUTES = { before: { members: {} }, after: { members: {} } };

const findKnownValue = <T>(fact: Fact<T>): T | null => (fact.state === "known" ? fact.value : null);

const UNKNOWN_DELTA: CostDelta = { before: null, after: null, change: null, percent: null };

const NO_COUNTS: ChangeCounts = {
  added: 0,
  changed: 0,
  deleted: 0,
  replaced: 0,
  imported: 0,
  removed: 0,
  unchanged: 0,
  drifted: 0,
};

const withProvider = <Part extends { readonly type: string }>(part: Part) => ({
  ...part,
  provider: parseProvider(part.type),
});

/** Adds the percentage as limits measure it: computed from the amounts, not as rounded by a source. */
const withPercent = <Line extends Pick<CostDelta, "before" | "change">>(line: Line) => ({
  ...line,
  percent: computePercent(line),
});

/** An increase from zero is infinite. */
function computePercent({ before, change }: Pick<CostDelta, "before" | "change">): number {
  if (before === null || change === null) return 0;
  if (before !== ZERO) return (Number(change) * 100) / Math.abs(Number(before));
  return Number(change) > 0 ? Number.POSITIVE_INFINITY : 0;
}
