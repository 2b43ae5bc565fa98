import { type RawBuilder, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Decimal } from "../../kernel/money.ts";
import type { TagLabel } from "../../report/model/report.ts";
import { isSamePull } from "../database/statements.ts";
import type { MergedPart, MergeWay } from "../tables/after-merge.ts";
import type { Db } from "../tables/tables.ts";
import type { TimeSpan } from "./merged-changes.ts";
import { addChangeSums, hasText } from "./open-pulls.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

/** Verdicts of merged heads. `none`: there was none. */
export const MERGED_VERDICTS = ["block", "undecided", "warn", "pass", "none"] as const;

/** Which merged pull requests. What is about cost or its parts finds none whose figures readers may not see. */
export interface MergedFilter {
  readonly repositoryIds: RepositoryIds;
  readonly span: TimeSpan;
  /** Logins, in any case. */
  readonly author?: string;
  readonly mergedBy?: string;
  readonly way?: MergeWay;
  /** Part of title, repository, author or `#` and number, in any case. */
  readonly text?: string;
  readonly verdict?: (typeof MERGED_VERDICTS)[number];
  /** Name of a stage or workspace, and path of a module, that it changes; exact. */
  readonly stage?: string;
  readonly module?: string;
  /** A value of a tag, or why there is none, of whose cost it changes something; exact. */
  readonly tag?: TagLabel;
  /** The least monthly change in one currency; null: in any. */
  readonly changeAtLeast?: { readonly amount: Decimal; readonly currency: string | null };
}

interface MergedPage {
  /** `change`: by currency, then by monthly change. Unknown and hidden is last in either direction. */
  readonly sort?: "merged" | "change" | "title" | "author";
  readonly direction?: "asc" | "desc";
  /** The last one of the page before, in the usual order; null: from the first. */
  readonly after?: (PullKey & { readonly mergedMs: number }) | null;
  readonly limit: number;
  readonly offset?: number;
}

/**
 * A merged pull request in a list. Where `figures` is false its readers may not see figures: then there are no totals, stages, modules,
 * tags and amounts. `cost`: `unknown` where a part of its change is. Names are labels, and not escaped.
 */
export type MergedPull = Awaited<ReturnType<typeof listMergedPulls>>[number];

/** Lists merged pull requests; without an order, the newest first. */
export async function listMergedPulls(
  db: Db,
  filter: MergedFilter,
  { sort = "merged", direction = "desc", after = null, limit, offset = 0 }: MergedPage,
) {
  const rows = await db
    .selectFrom("merged_pulls as merged")
    .innerJoin("repositories", "repositories.repository_id", "merged.repository_id")
    .leftJoin("pulls", (join) => join.on(isSamePull("pulls", "merged")))
    .leftJoin("merged_parts as first", (join) =>
      join.on(isSamePull("first", "merged")).on("first.position", "=", 0).on(SHOWS_FIGURES),
    )
    .leftJoin("merged_items as total", (join) =>
      join.onRef("total.item_id", "=", "first.item_id").on("total.part", "=", "total"),
    )
    .where((eb) => eb.and([...listConditions(filter), isOfWay(filter.way)]))
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(merged.merged_at, merged.repository_id, merged.number)
          < (${new Date(after?.mergedMs ?? 0)}, ${after?.repositoryId ?? 0}::bigint, ${after?.number ?? 0}::integer)`,
      ),
    )
    .select(["merged.repository_id as repositoryId", "merged.number", "pulls.title"])
    .select(sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository"))
    .select(["merged.author_login as author", "merged.merged_by_login as mergedBy"])
    .select(["merged.merged_at as mergedAt", "merged.verdict", "merged.way"])
    .select(["merged.cost", "merged.consents"])
    .select([SHOWS_FIGURES.as("figures"), LISTED_PARTS.as("parts")])
    .orderBy(sql.join(SORT_KEYS[sort].map((key) => sql`${key} ${sql.raw(direction)} nulls last`)))
    .orderBy("merged.repository_id", "desc")
    .orderBy("merged.number", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ parts, consents, ...pull }) => {
    const of = (part: MergedPart) => parts.filter((one) => one.part === part);
    const nameAll = (part: MergedPart) => [...new Set(of(part).flatMap(({ name }) => name ?? []))];
    return {
      ...pull,
      totals: of("total").map(({ currency, change }) => ({ currency, change })),
      tags: of("tag").map(({ name, kind }) => ({ kind, value: name })),
      stages: nameAll("stage").sort(),
      modules: nameAll("module"),
      consents: pull.figures ? consents : consents.map((consent) => ({ ...consent, upTo: null })),
    };
  });
}

const SHOWS_FIGURES = sql<boolean>`(repositories.figures is true)`;

/** Read of the listed pull requests only: PostgreSQL computes it after it has sorted and cut the list. */
const LISTED_PARTS = sql<
  readonly {
    readonly part: MergedPart;
    readonly name: string | null;
    readonly kind: TagLabel["kind"]; // of a tag
    readonly currency: string; // of a total, as is the change
    readonly change: Decimal;
  }[]
>`(select coalesce(json_agg(json_build_object('part', item.part, 'name', item.name, 'kind', item.kind, 'currency', item.currency,
    'change', trim_scale(part.change)::text) order by part.position), '[]')
  from merged_parts as part join merged_items as item using (item_id) where ${isSamePull("part", "merged")} and ${SHOWS_FIGURES})`;

const SORT_KEYS = {
  merged: [sql`merged.merged_at`],
  change: [sql`total.currency`, sql`case when total.part is not null then first.change end`],
  title: [sql`lower(pulls.title)`],
  author: [sql`lower(merged.author_login)`],
} as const;

/** The conditions of a filter but how it got through, on `merged` and its `repositories`. */
function listConditions(filter: MergedFilter): readonly RawBuilder<boolean>[] {
  const { repositoryIds, span, author, mergedBy, text, verdict, changeAtLeast } = filter;
  const isLogin = (column: string, login: string) =>
    sql<boolean>`lower(${sql.ref(column)}) = ${login.toLowerCase()}`;
  const least =
    changeAtLeast &&
    sql`part.change >= ${changeAtLeast.amount}::numeric and item.currency = coalesce(${changeAtLeast.currency}, item.currency)`;
  const parts = [...listPartConditions(filter), ...(least ? [{ part: "total", condition: least }] : [])];
  return [
    isWithin("merged", { repositoryIds, span }),
    ...(text === undefined
      ? []
      : [
          sql<boolean>`exists (select from pulls where ${isSamePull("pulls", "merged")} and ${hasText(text)})`,
        ]),
    ...(verdict === undefined ? [] : [sql<boolean>`coalesce(merged.verdict, 'none') = ${verdict}`]),
    ...(author === undefined ? [] : [isLogin("merged.author_login", author)]),
    ...(mergedBy === undefined ? [] : [isLogin("merged.merged_by_login", mergedBy)]),
    ...parts.map(
      ({ part, condition }) =>
        sql<boolean>`${SHOWS_FIGURES} and (merged.repository_id, merged.number) in (select part.repository_id, part.number
          from merged_parts as part join merged_items as item using (item_id)
          where ${isWithin("part", filter)} and item.part = ${part} and ${condition})`,
    ),
  ];
}

/** What a filter says of the parts of one kind, on the table `item`. */
const listPartConditions = ({ stage, module, tag }: MergedFilter) =>
  [
    { part: "stage", condition: stage && sql`${stage} in (item.name, item.detail)` },
    { part: "module", condition: module && sql`item.name = ${module}` },
    {
      part: "tag",
      condition: tag && sql`item.kind = ${tag.kind} and item.name is not distinct from ${tag.value}`,
    },
  ].flatMap(({ part, condition }) => (condition ? [{ part, condition }] : []));

const isWithin = (
  table: string,
  { repositoryIds, span }: Pick<MergedFilter, "repositoryIds" | "span">,
): RawBuilder<boolean> => {
  const mergedAt = sql.ref(`${table}.merged_at`);
  return sql`(${isReadable(`${table}.repository_id`, repositoryIds)} and ${mergedAt} >= ${span.from} and ${mergedAt} < ${span.to})`;
};

const isOfWay = (way: MergeWay | undefined): RawBuilder<boolean> =>
  way === undefined ? sql`true` : sql`merged.way = ${way}`;

/** Merged pull requests, or what they change, summed up by what is not null here. */
export interface MergedSum {
  /** `pull`: counts of pull requests by author and how they got through, without a sum. */
  readonly part: MergedPart | "pull";
  /** Author, null: the account is deleted; path of a module, null: in none; value of a tag, null: see `kind`; name of a stage. */
  readonly name: string | null;
  readonly kind: MergeWay | TagLabel["kind"] | null;
  /** Of a tag. */
  readonly key: string | null;
  /** Of a module. */
  readonly repositoryId: number | null;
  /** Of a stage: the first moment of the week, a Monday in UTC. */
  readonly week: Date | null;
  /** Null: nothing is known. */
  readonly currency: string | null;
  /** The known monthly changes. */
  readonly change: Decimal;
  /** Number of pull requests; of a stage, of their workspaces. */
  readonly pulls: number;
  /** Of how many of them the change is unknown, at least in part. */
  readonly unknown: number;
  /** Of how many of them readers may not see figures; no sum has them. */
  readonly hidden: number;
}

/**
 * Sums up merged pull requests, all parts in one statement. Sums of pull requests and their totals are of every way; the others of the
 * way that the filter names, and of the stages, modules or tags that it names.
 */
export async function sumMergedPulls(db: Db, filter: MergedFilter): Promise<readonly MergedSum[]> {
  const { way, repositoryIds, span, ...narrower } = filter;
  const isNarrow = way !== undefined || Object.keys(narrower).length > 0;
  const others = listPartConditions(filter).map(
    ({ part, condition }) => sql`(item.part <> ${part} or ${condition})`,
  );
  const { rows } = await sql<MergedSum>`
    with matching as materialized (
      select merged.repository_id, merged.number, merged.author_login, merged.way, merged.cost, ${SHOWS_FIGURES} as figures
      from merged_pulls as merged join repositories using (repository_id) where ${sql.join(listConditions(filter), sql` and `)}
    ), sums as materialized (
      select part.item_id, ${isNarrow ? isOfWay(way) : sql`true`} as is_of_way,
        sum(part.change) as change, count(*) as pulls, count(part.change) as known
      from merged_parts as part ${isNarrow ? sql`join matching as merged using (repository_id, number)` : sql``}
      where ${isWithin("part", { repositoryIds, span })} group by 1, 2
    )
    select 'pull' as part, author_login as name, way as kind, null as key, null::bigint as "repositoryId", null::timestamptz as week,
      null as currency, '0' as change, count(*) as pulls, count(*) filter (where figures and cost = 'unknown') as unknown,
      count(*) filter (where not figures) as hidden
    from matching group by 2, 3
    union all
    select item.part, item.name, item.kind, case item.part when 'tag' then item.detail end,
      case item.part when 'module' then item.repository_id end, date_bin('7 days', item.week, '1970-01-05Z'), item.currency,
      trim_scale(coalesce(sum(sums.change), 0))::text, sum(sums.pulls)::bigint, sum(sums.pulls - sums.known)::bigint, 0
    from sums join merged_items as item using (item_id) join repositories on repositories.repository_id = item.repository_id
    where ${SHOWS_FIGURES} and (sums.is_of_way or item.part = 'total') and ${sql.join([sql`true`, ...others], sql` and `)}
    group by 1, 2, 3, 4, 5, 6, 7`.execute(db);
  return rows;
}

/** Adds up sums of pull requests and their totals. `sums`: the known monthly changes, one per currency. */
export function addMergedPulls(all: readonly MergedSum[]) {
  const counts = all.filter(({ part }) => part === "pull");
  const count = (of: "pulls" | "unknown" | "hidden") => counts.reduce((added, row) => added + row[of], 0);
  return {
    ...{ pulls: count("pulls"), unknown: count("unknown"), hidden: count("hidden") },
    sums: addChangeSums(all.filter(({ part }) => part === "total")),
  };
}
