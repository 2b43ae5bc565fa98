import { readTag, type StatedTags, type TagReading } from "../../kernel/resource-tags.ts";
import type { Fact, UnknownReason } from "../../report/model/facts.ts";
import type { CostLine, Report, ResourceReport, StageReport } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import { listTagSides } from "../../report/tags.ts";
import { listUnseenDoubts } from "../../report/totals.ts";
import { isIntroduced, isOpenAfter } from "../../report/usage.ts";
import { formatTagSubject, type UndecidedReason } from "../model/finding.ts";
import type { Limit, RuleGranularity } from "../model/policy.ts";
import type { MeasureInput } from "./measurement.ts";

export const unknown = (reason: UnknownReason): UndecidedReason => ({ kind: "unknown", reason });

/** Something is known in part. */
export const PARTIAL: UndecidedReason = { kind: "partial" };

/** Why a fact cannot be used; empty: it can. */
export function listFactDoubts(fact: Fact<unknown>): readonly UndecidedReason[] {
  switch (fact.state) {
    case "known":
      return [];
    case "unknown":
      return [unknown(fact.reason)];
    case "stale":
      return [unknown("unavailable")];
    case "absent":
      return [unknown("not_stated")];
  }
}

/** Why an amount cannot be evaluated; empty: it can. */
export function listLineDoubts({
  state,
  because,
}: Pick<CostLine, "state" | "because">): readonly UndecidedReason[] {
  switch (state) {
    case "known":
      return [];
    case "unknown":
      return because.length === 0 ? [unknown("not_read")] : because.map(unknown);
    case "partial":
      if (isOnlyUncompared(because)) return [unknown("not_compared")];
      return [PARTIAL, ...because.filter((reason) => reason !== "partly_estimated").map(unknown)];
    case "inconsistent":
      return [{ kind: "inconsistent" }, ...because.map(unknown)];
  }
}

/** Why the cost afterwards cannot be evaluated: a line that is compared with nothing states it all the same. */
export const listAfterDoubts = (line: CostLine): readonly UndecidedReason[] =>
  line.state === "partial" && line.after !== null && isOnlyUncompared(line.because)
    ? []
    : listLineDoubts(line);

const isOnlyUncompared = (because: readonly UnknownReason[]): boolean =>
  because.length > 0 && because.every((reason) => reason === "not_compared");

/**
 * Why the data about the whole pull request is incomplete: nothing was read, or some of it may not be shown
 * here.
 */
export function listReportGaps({ stages, refused, nothingToPlan }: Report): readonly UndecidedReason[] {
  const reasons = listUnseenDoubts(refused).flatMap(({ because }) => because.map(unknown));
  const isUnread = stages.length === 0 && nothingToPlan === undefined;
  return isUnread && reasons.length === 0 ? [unknown("not_read")] : reasons;
}

/** Why the rows are not every changed resource with its type; empty: they are. What counts rows by their type asks this first. */
export const listRowGaps = ({
  stages,
  rows,
}: Pick<Report, "stages" | "rows">): readonly UndecidedReason[] => [
  ...stages.flatMap(({ rowsBecause, omittedRows, unreadRows }) => {
    if (rowsBecause !== null) return [unknown(rowsBecause)];
    return omittedRows + unreadRows > 0 ? [unknown("too_large")] : [];
  }),
  ...(rows.some(({ type }) => type === "") ? [unknown("not_stated")] : []),
];

/** Why the actions that a stage invokes are unknown; null: they are known. Those that are not listed may be in any part. */
export function findInvocationsDoubt(stage: StageReport): UnknownReason | null {
  const { countsBecause, planNotes, narrowed } = stage;
  if (countsBecause !== null || planNotes === undefined) return countsBecause ?? "not_stated";
  return narrowed !== null && planNotes.invocations.more > 0 ? "too_large" : null;
}

/** The reasons, with the names of the resources whose unknown tags of these keys are among them. */
export function nameUnknownTags(
  because: readonly UndecidedReason[],
  report: Report,
  { keys, kind }: { readonly keys: readonly string[]; readonly kind: Limit["kind"] },
): readonly UndecidedReason[] {
  const isTagDoubt = (one: UndecidedReason): boolean =>
    one.kind === "unknown" && one.reason === "tags_unknown";
  if (!because.some(isTagDoubt)) return because;
  const isCost = ["increase", "decrease", "percent", "total", "budget"].includes(kind);
  const parts: readonly TaggedPart[] = [
    ...report.resources.map((one) => ({ ...one, name: buildResourceName(one) })),
    ...(isCost ? [] : report.rows.map((one) => ({ ...one, name: buildResourceName(one) }))),
    ...report.stages.flatMap(({ workspace, unchanged = [] }) =>
      kind === "increase" || kind === "decrease"
        ? []
        : unchanged.map((one) => ({ ...one, name: `${workspace}: ${one.type} (${one.module})` })),
    ),
  ];
  const unknowns = Map.groupBy(
    keys.flatMap((key) => listUnknownTags(parts, key)),
    (one) => one.because,
  );
  const found = [...unknowns].map(([why, own]) =>
    buildNamedDoubt(`tags_${why}`, [...new Set(own.map(({ name }) => name))]),
  );
  const others = because.filter((one) => !isTagDoubt(one));
  return found.length + others.length === 0 ? because : [...others, ...found];
}

interface TaggedPart {
  readonly name: string;
  readonly type: string;
  readonly tags?: StatedTags;
}

const listUnknownTags = (parts: readonly TaggedPart[], key: string) =>
  parts.flatMap(({ name, type, tags }) => {
    const readings = listTagSides(tags).map((side) => readTag(tags, { key, type, side }));
    const found = readings.find(({ state }) => state === "unknown");
    return found?.state === "unknown" ? [{ name, because: found.because }] : [];
  });

/** The reasons without duplicates. */
export function selectUniqueReasons(because: readonly UndecidedReason[]): readonly UndecidedReason[] {
  return [...new Map(because.map((reason) => [JSON.stringify(reason), reason])).values()];
}

/** Largest number of resource names in a finding; the total number is stated beside them. */
const MAX_NAMES = 20;

/** The reason that these resources give, of which it names some. */
export function buildNamedDoubt(
  what: "usage" | Extract<UndecidedReason, { kind: "resources" }>["unknown"],
  names: readonly string[],
): UndecidedReason {
  const own = { count: names.length, names: names.slice(0, MAX_NAMES) };
  return what === "usage" ? { kind: what, ...own } : { kind: "resources", unknown: what, ...own };
}

/** The key of a report line, from the parts that the rule measures one by one. */
export const buildLineKey = (...parts: readonly (string | null)[]): string => JSON.stringify(parts);

/**
 * Why the amounts of lines are unknown, by the key of the line: merging adds or changes usage-based resources there. With `falls`, also
 * where it deletes them or their usage is stated only after the change, because that matters for a decrease.
 */
export function groupUsageDoubts(
  report: Report,
  by: LineDivision,
  falls: boolean,
): ReadonlyMap<string, readonly UndecidedReason[]> {
  const parts = listUsageParts(report, falls);
  const lines = groupByLine(by.per === "tag" ? addTags(parts, report) : parts, by);
  return new Map([...lines].map(([key, own]) => [key, buildUsageDoubts(own)]));
}

function addTags(parts: readonly UsagePart[], { rows, resources }: Report): readonly UsagePart[] {
  const tagged = new Map(
    [...rows, ...resources].map((one) => [buildLineKey(one.stage, one.address), one.tags]),
  );
  return parts.map((part) => {
    const tags = tagged.get(buildLineKey(part.stage, part.address));
    return tags === undefined ? part : { ...part, tags };
  });
}

/** How a rule divides the report into lines. */
export type LineDivision = Pick<MeasureInput, "per" | "perTag">;

/**
 * The parts by the key of the line that they belong to. A resource whose tag changes belongs to both values; one of an unknown tag, to
 * no line.
 */
export function groupByLine<Part extends LinePart>(
  parts: readonly Part[],
  { per, perTag = "" }: LineDivision,
): ReadonlyMap<string, readonly Part[]> {
  if (per !== "tag") return Map.groupBy(parts, (part) => buildPartKey(part, per));
  const keyed = parts.flatMap((part) => {
    const { tags, type } = part;
    const readings = listTagSides(tags).map((side) => readTag(tags, { key: perTag, type: type ?? "", side }));
    return [...new Set(readings.map(formatReading))].map((subject) => ({
      part,
      line: buildLineKey(part.currency, subject),
    }));
  });
  const groups = Map.groupBy(keyed, ({ line }) => line);
  return new Map([...groups].map(([line, own]) => [line, own.map(({ part }) => part)]));
}

interface LinePart {
  readonly stage: string;
  readonly currency: string | null;
  readonly module: string | null;
  readonly type: string | null;
  readonly tags?: StatedTags;
}

const formatReading = (reading: TagReading): string | null => {
  if (reading.state === "unknown") return null;
  return formatTagSubject(reading.state === "value" ? reading.value : null);
};

/** Why no amount of the whole report is known; empty: there is no such reason. */
export const findReportUsageDoubt = (report: Report, falls = false): readonly UndecidedReason[] =>
  buildUsageDoubts(listUsageParts(report, falls));

/** One usage-based resource, or several unnamed ones of a stage with null as module and type. */
interface UsagePart extends LinePart {
  readonly count: number;
  readonly name: string | null;
  readonly address: string | null;
}

function listUsageParts({ usageBased = [], stages }: Report, falls: boolean): readonly UsagePart[] {
  const named = usageBased.filter((one) => isIntroduced(one) || (falls && !isOpenAfter(one)));
  const unnamed = stages.filter((stage) => (stage.usageBased?.unnamed ?? 0) > 0);
  return [
    ...named.map((one) => ({ ...one, count: 1, name: buildResourceName(one) })),
    ...unnamed.map((stage) => ({
      count: stage.usageBased?.unnamed ?? 0,
      name: null,
      address: null,
      stage: buildStageKey(stage),
      currency: stage.currency,
      module: null,
      type: null,
    })),
  ];
}

const buildResourceName = ({ workspace, address }: Pick<ResourceReport, "workspace" | "address">): string =>
  `${workspace}: ${address}`;

function buildUsageDoubts(parts: readonly UsagePart[]): readonly UndecidedReason[] {
  if (parts.length === 0) return [];
  const names = parts.flatMap(({ name }) => name ?? []);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return [{ kind: "usage", count, names: names.slice(0, MAX_NAMES) }];
}

function buildPartKey(
  { stage, currency, module, type }: LinePart,
  per: Exclude<RuleGranularity, "tag">,
): string {
  switch (per) {
    case "pull-request":
      return buildLineKey(currency);
    case "stage":
      return buildLineKey(stage);
    case "module":
      return buildLineKey(currency, module);
    case "resource-type":
      return buildLineKey(currency, type);
  }
}
