import { minus, negate, sum, sumKnown, ZERO } from "../kernel/money.ts";
import { readTag, type StatedTags, type TagReading } from "../kernel/resource-tags.ts";
import type { CostDelta, ListedResource, StageFacts } from "./model/facts.ts";
import { deriveModulePath } from "./model/module-path.ts";
import type {
  DividedAmount,
  Report,
  ResourceReport,
  StageReport,
  TagLabel,
  TagReport,
  UnchangedCost,
} from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";
import { type CostPart, rollUpParts } from "./parts.ts";
import { isRounding } from "./totals.ts";

/**
 * Returns the report with its cost per value of this tag. Where a source does not list the resources whose cost stays, only the change of
 * each value is known.
 */
export function withTagCosts(report: Report, key: string): Report {
  const unlisted = new Set(
    report.stages.flatMap(({ unchanged, currency }) => (unchanged === undefined ? [currency] : [])),
  );
  const lines = buildTagReports(report, key).map((line) =>
    line.kind !== "unattributed" && unlisted.has(line.currency)
      ? { ...line, before: null, after: null, percent: null }
      : line,
  );
  return { ...report, byTag: { key, lines } };
}

/**
 * The cost of the resources with each value of a tag, over all stages, largest absolute change first; after them what is beyond all
 * listed resources. A resource whose value changes costs nothing afterwards under the former one, and nothing before under the new one.
 */
export function buildTagReports(report: Report, key: string): readonly TagReport[] {
  const resources = Map.groupBy(report.resources, ({ stage }) => stage);
  const parts = report.stages.map((stage) => [
    ...(resources.get(buildStageKey(stage)) ?? []).flatMap((one) => divideByTag(one, key, stage)),
    ...(stage.unchanged ?? []).flatMap((one) =>
      divideByTag({ ...one, ...toUnchangedDelta(one) }, key, stage),
    ),
  ]);
  return rollUpParts(parts, report.totals).map(({ name, unattributed, ...line }) => ({
    ...line,
    ...(unattributed ? { kind: "unattributed" as const, value: null } : parseLineName(name)),
  }));
}

export const toUnchangedDelta = ({ cost }: Pick<UnchangedCost, "cost">): CostDelta => ({
  ...{ before: cost, after: cost, percent: null },
  change: ZERO,
});

export type TagSide = "before" | "after";

/** The sides of a change on which a resource may have other tags; one where there is a resource on one side only, or with the same tags. */
export function listTagSides(tags: StatedTags | undefined): readonly TagSide[] {
  if (tags === undefined || tags === "unsupported" || tags.before === null || tags.before === undefined)
    return ["after"];
  return tags.after === null ? ["before"] : ["before", "after"];
}

/** What a resource costs with its tags on one side, where those on the other side belong to something else. */
export const takeSide = (cost: CostDelta, side: TagSide): CostDelta =>
  side === "before"
    ? { before: cost.before, after: ZERO, change: cost.before && negate(cost.before), percent: null }
    : { before: ZERO, after: cost.after, change: cost.after, percent: null };

type TaggedCost = Pick<ResourceReport, "tags" | "type" | "before" | "after" | "change" | "percent">;

function divideByTag(
  { tags, type, ...cost }: TaggedCost,
  key: string,
  stage: StageReport,
): readonly CostPart[] {
  const { currency } = stage;
  if (currency === null) return [];
  const build = (side: TagSide, amounts: CostDelta): CostPart => ({
    ...amounts,
    name: formatLineName(readTag(tags, { key, type, side })),
    currency,
    stage,
  });
  const sides = listTagSides(tags);
  const parts = sides.map((side) => build(side, takeSide(cost, side)));
  // A side on which there is no resource has no line of its own.
  return new Set(parts.map(({ name }) => name)).size > 1
    ? parts
    : sides.slice(0, 1).map((side) => build(side, cost));
}

const UNKNOWN = "unknown";

/** Lines are rolled up by name: kinds without a value cannot read like one with a value. */
const formatLineName = (reading: TagReading): string => {
  if (reading.state === "value") return `=${reading.value}`;
  return reading.state === "unknown" ? UNKNOWN : "untagged";
};

const parseLineName = (name: string): TagLabel => {
  if (name.startsWith("=")) return { kind: "value", value: name.slice(1) };
  return { kind: name === UNKNOWN ? "unknown" : "untagged", value: null };
};

/** Lists the values of a resource's tag: after the change, and before it where that one differs. */
export function listTagLabels(
  { tags, type }: Pick<ResourceReport, "tags" | "type">,
  key: string,
): readonly TagLabel[] {
  const sides = (["after", "before"] as const).filter(
    (side) => tags === undefined || tags === "unsupported" || tags[side] !== null,
  );
  const names = sides.map((side) => formatLineName(readTag(tags, { key, type, side })));
  return [...new Set(names)].map(parseLineName);
}

/** Sums the cost of the resources of a stage whose cost stays, with their tags of these keys. */
export function buildUnchangedCosts(
  { cost }: StageFacts,
  keys: readonly string[],
): Pick<StageReport, "unchanged"> {
  const { listed, comparison } = cost.state === "known" || cost.state === "stale" ? cost.value : {};
  if (listed === undefined || comparison === "nothing") return {};
  const wanted = new Set(keys.map((key) => key.toLowerCase()));
  const costs = listed.flatMap((one) =>
    one.cost === undefined || one.cost === ZERO ? [] : [toUnchangedCost(one, wanted)],
  );
  const groups = Map.groupBy(costs, ({ module, type, tags }) => JSON.stringify([module, type, tags]));
  return {
    unchanged: [...groups.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const amounts = [first, ...others].map((one) => one.cost);
      return [{ ...first, cost: sumKnown(amounts) }];
    }),
  };
}

function toUnchangedCost(
  { address, type, cost = null, tags }: ListedResource,
  wanted: ReadonlySet<string>,
): UnchangedCost {
  const own = { module: deriveModulePath(address), type, cost };
  return tags === undefined ? own : { ...own, tags: selectKeys(tags, wanted) };
}

/** The stated tags with only these keys, which are in lower case. */
function selectKeys(tags: StatedTags, wanted: ReadonlySet<string>): StatedTags {
  if (tags === "unsupported") return tags;
  const select = (side: (typeof tags)["after"]) =>
    side && {
      ...side,
      values: Object.fromEntries(
        Object.entries(side.values)
          .filter(([key]) => wanted.has(key.toLowerCase()))
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
      onlyKeys: [...wanted],
    };
  const { before, after } = tags;
  return { ...(before !== undefined && { before: select(before) }), after: select(after) };
}

type Amount = "before" | "after" | "change";

interface Division {
  readonly keys: readonly string[];
  readonly of: Amount;
}

/** Divides an amount of a stage by the values of tags; null: some of it belongs to unknown values, or there are no keys. */
export function divideAmount(
  report: Pick<Report, "resources">,
  stage: StageReport,
  { keys, of }: Division,
): DividedAmount | null {
  if (keys.length === 0 || findUndivided(report, stage, { keys, of }) !== null) return null;
  const own = listDividedParts(report, stage, { keys, of }).map(({ readings, amount }) => ({
    values: readings.map((reading) => (reading.state === "value" ? reading.value : null)),
    amount: amount ?? ZERO,
  }));
  return addDivided([{ keys, parts: own }]);
}

/**
 * Why an amount of a stage cannot be divided by the values of tags: some of it is no listed resource's (`rest`), or has unknown values
 * (`unknown`), which may differ even where the amounts cancel each other out. Null: it can.
 */
export function findUndivided(
  report: Pick<Report, "resources">,
  stage: StageReport,
  { keys, of }: Division,
): "rest" | "unknown" | null {
  const parts = listDividedParts(report, stage, { keys, of });
  if (parts.some(({ readings }) => readings.some(({ state }) => state === "unknown"))) return "unknown";
  const [whole, total] = [stage[of], sumKnown(parts.map(({ amount }) => amount))];
  return whole !== null && total !== null && isRounding(minus(whole, total)) ? null : "rest";
}

/** Lists what of an amount each resource has on each side of its change, where that is not zero. */
function listDividedParts(
  { resources }: Pick<Report, "resources">,
  stage: StageReport,
  { keys, of }: Division,
) {
  const place = buildStageKey(stage);
  return [
    ...resources.filter((one) => one.stage === place).map((one) => ({ ...one, cost: one as CostDelta })),
    // What a source cannot price is in no total either.
    ...(stage.unchanged ?? []).flatMap((one) =>
      one.cost === null ? [] : [{ ...one, cost: toUnchangedDelta(one) }],
    ),
  ]
    .flatMap(({ tags, type, cost }) => {
      const sides = listTagSides(tags);
      return sides.map((side) => ({
        readings: keys.map((key) => readTag(tags, { key, type, side })),
        amount: (sides.length === 1 ? cost : takeSide(cost, side))[of],
      }));
    })
    .filter(({ amount }) => amount !== ZERO);
}

/** The sum of divided amounts; null: they are not divided by the same keys. */
export function addDivided(all: readonly (DividedAmount | null)[]): DividedAmount | null {
  const [first] = all;
  const known = all.flatMap((one) =>
    one !== null && JSON.stringify(one.keys) === JSON.stringify(first?.keys) ? [one] : [],
  );
  if (!first || known.length < all.length) return null;
  const groups = Map.groupBy(
    known.flatMap(({ parts }) => parts),
    ({ values }) => JSON.stringify(values),
  );
  return {
    keys: first.keys,
    parts: [...groups.values()].flatMap(([one, ...others]) =>
      one === undefined ? [] : [{ ...one, amount: sum([one, ...others].map(({ amount }) => amount)) }],
    ),
  };
}
