import { z } from "zod";
import { toIsoDay } from "../../../kernel/instant.ts";
import { decimal } from "../../../kernel/money.ts";
import { cutText } from "../../../kernel/shorten.ts";
import { toStorableText } from "../../../kernel/storable.ts";
import { MERGED_VERDICTS, type MergedFilter } from "../../../store/history/merged-pulls.ts";
import type { RepositoryIds } from "../../../store/history/readable.ts";
import { MERGE_WAYS } from "../../../store/tables/after-merge.ts";
import type { Query } from "../../page/address.ts";
import { findPeriodSpan, PERIOD_NAMES, type PeriodDeps, type PeriodName, toTimeSpan } from "../period.ts";
import { parseTagChoice } from "../tag-choice.ts";

const DEFAULT_PERIOD: PeriodName = "this-quarter";

const Login = z.string().max(200).overwrite(toStorableText);
const Name = z.string().max(1_000).overwrite(toStorableText);
/** Years of four digits that every database knows. */
const Day = z.iso.date().regex(/^[12]/, "expected a day such as 2026-11-23");

/** The filters of merged pull requests in addresses, on pages and in the API. */
export const MERGED_FILTERS = {
  period: z
    .enum(PERIOD_NAMES)
    .optional()
    .meta({
      description: `A time up to now, or a quarter or fiscal year of the operator's \`fiscal_year_starts\`; default: \`${DEFAULT_PERIOD}\`, unless \`from\` or \`to\` is given.`,
    }),
  from: Day.optional().meta({ description: "The first day, in UTC." }),
  to: Day.optional().meta({ description: "The last day, in UTC." }),
  how: z.enum(MERGE_WAYS).optional().meta({ description: "How it got through." }),
  verdict: z.enum(MERGED_VERDICTS).optional().meta({ description: "Of the merged head." }),
  text: Login.optional().meta({ description: "A part of title, repository, author or number." }),
  author: Login.optional(),
  merged_by: Login.optional(),
  tag: Name.optional().meta({
    description:
      "A value of the tag of `report.by_tag`, `(untagged)`, `(unknown)` or `(unattributed)`, of whose cost it changes something; a value that begins with `(` has one more.",
  }),
  stage: Name.optional().meta({ description: "Name of a stage or workspace that it changes." }),
  module: Name.optional().meta({ description: "Path of a module whose cost it changes." }),
  change_at_least: z
    .string()
    .regex(/^[+-]?\d{1,15}(\.\d{1,9})?( ?[A-Z]{3})?$/, "expected an amount such as 500 or 500 USD")
    .optional()
    .meta({ description: "The least monthly change, such as `500 USD`; without a currency in any." }),
};
type MergedFilterName = keyof typeof MERGED_FILTERS;
export const MERGED_FILTER_NAMES = Object.keys(MERGED_FILTERS) as MergedFilterName[]; // the object's own keys
const Filters = z.object(MERGED_FILTERS);
export type MergedQuery = z.infer<typeof Filters>;

/** Why the days of a query cannot be used, and the members that it is about; null: they can. */
export function findDayProblem({
  period,
  from,
  to,
}: MergedQuery): { readonly names: readonly MergedFilterName[]; readonly text: string } | null {
  if (from !== undefined && to !== undefined && from > to)
    return { names: ["from", "to"], text: "from is after to" };
  if (period !== undefined && (from ?? to) !== undefined)
    return { names: ["period"], text: "give either a period or from and to" };
  return null;
}

/** Reads the filters of an address. `ignored`: those that cannot be read, and are not applied. */
export function readMergedQuery(query: Query): {
  readonly filters: MergedQuery;
  readonly ignored: readonly MergedFilterName[];
} {
  const texts = MERGED_FILTER_NAMES.map(
    (name) => [name, cutText((query[name] ?? "").trim(), 1_000)] as const,
  );
  const given = texts.filter(([, text]) => text !== "");
  const unread = given.filter(([name, text]) => !MERGED_FILTERS[name].safeParse(text).success);
  const select = (ignored: readonly MergedFilterName[]) => {
    const filters = Filters.parse(Object.fromEntries(given.filter(([name]) => !ignored.includes(name))));
    return { filters, ignored };
  };
  const read = select(unread.map(([name]) => name));
  return select([...read.ignored, ...(findDayProblem(read.filters)?.names ?? [])]);
}

/** Returns what a query selects. */
export function toMergedFilter(
  {
    period,
    from,
    to,
    text,
    author,
    merged_by,
    how,
    verdict,
    stage,
    module,
    tag,
    change_at_least,
  }: MergedQuery,
  repositoryIds: RepositoryIds,
  deps: PeriodDeps,
): MergedFilter {
  const name = findPeriodName({ period, from, to });
  return {
    repositoryIds,
    span:
      name === null
        ? toTimeSpan({ from: from ?? "1970-01-01", to: to ?? toIsoDay(deps.clock.now()) })
        : findPeriodSpan(name, deps),
    ...(author !== undefined && { author: author.replace(/^@/, "") }),
    ...(merged_by !== undefined && { mergedBy: merged_by.replace(/^@/, "") }),
    ...(how !== undefined && { way: how }),
    ...(verdict !== undefined && { verdict }),
    ...(text !== undefined && { text }),
    ...(stage !== undefined && { stage }),
    ...(module !== undefined && { module }),
    ...(tag !== undefined && { tag: parseTagChoice(tag) }),
    ...(change_at_least !== undefined && { changeAtLeast: parseLeast(change_at_least) }),
  };
}

function parseLeast(text: string): NonNullable<MergedFilter["changeAtLeast"]> {
  const [, amount = "0", currency = ""] = /^\+?(-?[\d.]+) ?(\w*)$/.exec(text) ?? [];
  return { amount: decimal(amount), currency: currency || null };
}

/** The name of the period in use; null: it is given by days. */
export const findPeriodName = ({ period, from, to }: MergedQuery): PeriodName | null =>
  period ?? ((from ?? to) === undefined ? DEFAULT_PERIOD : null);
