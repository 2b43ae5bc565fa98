import { negate, sumKnown, ZERO } from "../kernel/money.ts";
import { readTag, type StatedTags, type TagReading } from "../kernel/resource-tags.ts";
import type { CostDelta, ListedResource, StageFacts } from "./model/facts.ts";
import { deriveModulePath } from "./model/module-path.ts";
import type {
  Report,
  ResourceReport,
  StageReport,
  TagLabel,
  TagReport,
  UnchangedCost,
} from "./model/report.ts";
import { buildStageKey } from "./model/stage-label.ts";
import { type CostPart, rollUpParts } from "./parts.ts";

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

const toUnchangedDelta = ({ cost }: UnchangedCost): CostDelta => ({
  ...{ before: cost, after: cost, percent: null },
  change: ZERO,
});

type TaggedCost = Pick<ResourceReport, "tags" | "type" | "before" | "after" | "change" | "percent">;

function divideByTag(
  { tags, type, ...cost }: TaggedCost,
  key: string,
  stage: StageReport,
): readonly CostPart[] {
  const { currency } = stage;
  if (currency === null) return [];
  const build = (side: "before" | "after", amounts: CostDelta): CostPart => ({
    ...amounts,
    name: formatLineName(readTag(tags, { key, type, side })),
    currency,
    stage,
  });
  // A side on which there is no resource has no line of its own.
  const isCreated = tags === undefined || tags === "unsupported" || tags.before === null;
  if (isCreated || tags.before === undefined) return [build("after", cost)];
  if (tags.after === null) return [build("before", cost)];
  const [left, right] = [
    build("before", { ...cost, after: ZERO, change: cost.before && negate(cost.before), percent: null }),
    build("after", { ...cost, before: ZERO, change: cost.after, percent: null }),
  ];
  return left.name === right.name ? [build("after", cost)] : [left, right];
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
    };
  const { before, after } = tags;
  return { ...(before !== undefined && { before: select(before) }), after: select(after) };
}
