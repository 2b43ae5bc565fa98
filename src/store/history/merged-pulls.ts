import { type RawBuilder, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Decimal } from "../../kernel/money.ts";
import type { Verdict } from "../../policy/model/finding.ts";
import type { TagLabel } from "../../report/model/report.ts";
import { isSamePull } from "../database/statements.ts";
import type { MergeWay } from "../tables/after-merge.ts";
import type { Db } from "../tables/tables.ts";
import type { TimeSpan } from "./merged-changes.ts";
import type { ChangeSum } from "./open-pulls.ts";
import { isReadable, type RepositoryIds } from "./readable.ts";

/** Verdicts of merged pull requests. `none`: the merged head had none. */
export const MERGED_VERDICTS = ["block", "undecided", "warn", "pass", "none"] as const;
export type MergedVerdict = Verdict["kind"] | "none";

/** Which merged pull requests. What is about cost or its parts finds none whose figures readers may not see. */
export interface MergedFilter {
  readonly repositoryIds: RepositoryIds;
  readonly span: TimeSpan;
  /** Logins, in any case. */
  readonly author?: string;
  readonly mergedBy?: string;
  readonly verdict?: MergedVerdict;
  readonly way?: MergeWay;
  /** Name of a stage or workspace, and path of a module, that it changes; exact. */
  readonly stage?: string;
  readonly module?: string;
  /** A value of a tag, or why there is none, of whose cost it changes something; exact. */
  readonly tag?: TagLabel;
  /** The least monthly change in one currency; null: in any. */
  readonly changeAtLeast?: { readonly amount: Decimal; readonly currency: string | null };
}

/** `change`: by currency, then by monthly change. Unknown and hidden is last in either direction. */
export type MergedSort = "merged" | "change" | "title" | "author";

interface MergedPage {
  readonly sort: MergedSort;
  readonly direction: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

/** Lists merged pull requests. */
export const listMergedPulls = (
  db: Db,
  filter: MergedFilter,
  { sort, direction, limit, offset }: MergedPage,
) =>
  selectListed(db, filter)
    .orderBy(sql.join(SORT_KEYS[sort].map((key) => sql`${key} ${sql.raw(direction)} nulls last`)))
    .orderBy("merged.repository_id")
    .orderBy("merged.number", "desc")
    .limit(limit)
    .offset(offset)
    .execute();

/** Lists merged pull requests, the newest first. `after`: the last one of the page before. */
export const listMergedPullsAfter = (
  db: Db,
  filter: MergedFilter,
  {
    after,
    limit,
  }: { readonly after: (PullKey & { readonly mergedMs: number }) | null; readonly limit: number },
) =>
  selectListed(db, filter)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(merged.merged_at, merged.repository_id, merged.number)
          < (${new Date(after?.mergedMs ?? 0)}, ${after?.repositoryId ?? 0}::bigint, ${after?.number ?? 0}::integer)`,
      ),
    )
    .orderBy("merged.merged_at", "desc")
    .orderBy("merged.repository_id", "desc")
    .orderBy("merged.number", "desc")
    .limit(limit)
    .execute();

/**
 * A merged pull request in a list. Where `figures` is false its readers may not see figures: then there are no totals, stages, modules,
 * tags and amounts. `cost`: `unknown` where a part of its change is. Names are labels, and not escaped.
 */
export type MergedPull = Awaited<ReturnType<typeof listMergedPulls>>[number];

const selectListed = (db: Db, filter: MergedFilter) =>
  selectMerged(db, filter)
    .leftJoin("pulls", (join) => join.on(isSamePull("pulls", "merged")))
    .leftJoin("merged_totals as first", (join) =>
      join.on(isSamePull("first", "merged")).on("first.position", "=", 0).on(SHOWS_FIGURES),
    )
    .select(["merged.repository_id as repositoryId", "merged.number", "pulls.title"])
    .select(sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository"))
    .select(["merged.author_login as author", "merged.merged_by_login as mergedBy"])
    .select(["merged.merged_at as mergedAt", "merged.verdict", "merged.way", "merged.cost"])
    .select(SHOWS_FIGURES.as("figures"))
    .select(
      selectParts<{ currency: string; change: Decimal }>(
        "totals",
        "json_build_object('currency', part.currency, 'change', trim_scale(part.change)::text)",
      ).as("totals"),
    )
    .select(
      selectParts<TagLabel>("tags", "json_build_object('kind', part.kind, 'value', part.value)").as("tags"),
    )
    .select(selectParts<string | null>("modules", "part.module").as("modules"))
    .select(
      sql<readonly string[]>`(select coalesce(json_agg(distinct part.stage order by part.stage), '[]')
        from merged_stages as part where ${isSamePull("part", "merged")} and ${SHOWS_FIGURES})`.as("stages"),
    )
    .select(
      sql<
        readonly {
          readonly login: string;
          readonly amount: Decimal | null;
          readonly currency: string | null;
        }[]
      >`(select coalesce(json_agg(json_build_object('login', part.login,
          'amount', case when ${SHOWS_FIGURES} then trim_scale(part.amount)::text end,
          'currency', case when ${SHOWS_FIGURES} then part.currency end) order by part.position), '[]')
        from merged_consents as part where ${isSamePull("part", "merged")})`.as("consents"),
    );

/** What is listed of one part of a pull request, in its order. */
const selectParts = <Part>(part: "totals" | "tags" | "modules", shape: string): RawBuilder<readonly Part[]> =>
  sql<readonly Part[]>`(select coalesce(json_agg(${sql.raw(shape)} order by part.position), '[]')
    from ${sql.table(`merged_${part}`)} as part where ${isSamePull("part", "merged")} and ${SHOWS_FIGURES})`;

const SHOWS_FIGURES = sql<boolean>`(repositories.figures is true)`;

const SORT_KEYS = {
  merged: [sql`merged.merged_at`],
  change: [sql`first.currency`, sql`first.change`],
  title: [sql`lower(pulls.title)`],
  author: [sql`lower(merged.author_login)`],
} as const;

/** Merged pull requests with their repository. */
const selectMerged = (db: Db, { repositoryIds, span, ...filter }: MergedFilter) =>
  db
    .selectFrom("merged_pulls as merged")
    .innerJoin("repositories", "repositories.repository_id", "merged.repository_id")
    .where(isReadable("merged.repository_id", repositoryIds))
    .where("merged.merged_at", ">=", span.from)
    .where("merged.merged_at", "<", span.to)
    .where((eb) => eb.and(listConditions({ repositoryIds, span, ...filter })));

/** The conditions of a filter beside repositories and time, on the table `merged`. Each is computed once, not once per pull request. */
function listConditions(filter: MergedFilter): readonly RawBuilder<boolean>[] {
  const { author, mergedBy, verdict, way, stage, module, tag, changeAtLeast } = filter;
  const hasPart = (part: string, condition: RawBuilder<unknown>) =>
    sql<boolean>`(merged.repository_id, merged.number) in (select part.repository_id, part.number
      from ${sql.table(`merged_${part}`)} as part where ${isShown(filter)} and ${condition})`;
  const currency = changeAtLeast?.currency ?? null;
  return [
    author !== undefined && isLogin("author_login", author),
    mergedBy !== undefined && isLogin("merged_by_login", mergedBy),
    verdict !== undefined && sql<boolean>`coalesce(merged.verdict, 'none') = ${verdict}`,
    way !== undefined && sql<boolean>`merged.way = ${way}`,
    stage !== undefined && hasPart("stages", isStage(stage)),
    module !== undefined && hasPart("modules", sql`part.module = ${module}`),
    tag !== undefined && hasPart("tags", isTag(tag)),
    changeAtLeast !== undefined &&
      hasPart(
        "totals",
        sql`part.change >= ${changeAtLeast.amount}::numeric and part.currency = coalesce(${currency}, part.currency)`,
      ),
  ].filter((condition) => condition !== false);
}

const isLogin = (column: string, login: string) =>
  sql<boolean>`lower(${sql.ref(`merged.${column}`)}) = ${login.toLowerCase()}`;
const isStage = (stage: string) => sql<boolean>`${stage} in (part.stage, part.workspace)`;
const isTag = ({ kind, value }: TagLabel) =>
  sql<boolean>`part.kind = ${kind} and part.value is not distinct from ${value}`;

/** Whether a row of the table `part` is of these repositories, of which readers may see figures, and this time. */
const isShown = ({ repositoryIds, span: { from, to } }: MergedFilter) =>
  sql<boolean>`part.repository_id in (select repository_id from repositories
    where figures and ${isReadable("repository_id", repositoryIds)}) and part.merged_at >= ${from} and part.merged_at < ${to}`;

/** Sums up the rows of a part of merged pull requests by columns; those whose figures readers may not see are not in it. */
async function sumParts<Sum>(
  db: Db,
  part: "totals" | "stages" | "modules" | "tags",
  filter: MergedFilter,
  {
    by,
    only = sql`true`,
    change = sql`part.change`,
  }: { readonly by: string; readonly only?: RawBuilder<unknown>; readonly change?: RawBuilder<unknown> },
): Promise<readonly (Sum & PartSum)[]> {
  const conditions = listConditions(filter);
  const isMatching =
    conditions.length === 0
      ? sql`true`
      : sql`(part.repository_id, part.number) in (select merged.repository_id, merged.number from merged_pulls as merged
          where merged.merged_at >= ${filter.span.from} and merged.merged_at < ${filter.span.to}
            and ${sql.join(conditions, sql` and `)})`;
  const { rows } = await sql<Sum & PartSum>`
    select ${sql.raw(by)}, part.currency, trim_scale(coalesce(sum(${change}), 0))::text as change,
      count(*) as pulls, count(*) filter (where part.change is null) as unknown
    from ${sql.table(`merged_${part}`)} as part
    where ${isShown(filter)} and ${only} and ${isMatching} group by ${sql.raw(by.replaceAll(/ as "?\w+"?/g, ""))}, part.currency`.execute(
    db,
  );
  return rows;
}

/** A sum of monthly changes. `unknown`: the number of those that are unknown, and not in the sum. */
interface PartSum extends ChangeSum {
  readonly unknown: number;
}

/** Merged pull requests of one author that got through in one way. `unknown`: those of which a part of the change is; `hidden`: whose readers may not see figures. */
export interface MergedSums {
  readonly way: MergeWay;
  /** Null: the account is deleted. */
  readonly author: string | null;
  readonly pulls: number;
  readonly unknown: number;
  readonly hidden: number;
  /** The known changes, one per currency. */
  readonly sums: readonly ChangeSum[];
}

/** Sums up merged pull requests by author and how they got through. */
export async function sumMergedPulls(db: Db, filter: MergedFilter): Promise<readonly MergedSums[]> {
  const counts = await selectMerged(db, filter)
    .select(["merged.way", "merged.author_login as author", sql<number>`count(*)`.as("pulls")])
    .select(sql<number>`count(*) filter (where ${SHOWS_FIGURES} and merged.cost = 'unknown')`.as("unknown"))
    .select(sql<number>`count(*) filter (where not ${SHOWS_FIGURES})`.as("hidden"))
    .groupBy(["merged.way", "merged.author_login"])
    .execute();
  const by = "part.way, part.author_login as author";
  const sums = await sumParts<Pick<MergedSums, "way" | "author">>(db, "totals", filter, { by });
  const keyOf = ({ way, author }: Pick<MergedSums, "way" | "author">) => JSON.stringify([way, author]);
  const byKey = Map.groupBy(sums, keyOf);
  return counts.map((row) => ({
    ...row,
    sums: (byKey.get(keyOf(row)) ?? []).map(({ currency, change, pulls }) => ({ currency, change, pulls })),
  }));
}

export interface ModuleSum extends PartSum {
  readonly repositoryId: number;
  /** Null: what belongs to no module. */
  readonly module: string | null;
}

/** Sums up merged changes by module of a repository. With a module in the filter: only of it. */
export const sumMergedModules = (db: Db, filter: MergedFilter): Promise<readonly ModuleSum[]> =>
  sumParts(db, "modules", filter, {
    by: 'part.repository_id as "repositoryId", part.module',
    ...(filter.module !== undefined && { only: sql`part.module = ${filter.module}` }),
  });

export interface TagSum extends PartSum, TagLabel {
  readonly key: string;
}

/** Sums up merged changes by tag. With a tag in the filter: only of it. */
export const sumMergedTags = (db: Db, filter: MergedFilter): Promise<readonly TagSum[]> =>
  sumParts(db, "tags", filter, {
    by: "part.key, part.kind, part.value",
    ...(filter.tag !== undefined && { only: isTag(filter.tag) }),
  });

/** What was merged in one week into one stage, in one currency, per month, as estimated. Without a currency the changes are unknown, and the sum is zero. */
export interface MergedChange extends Omit<PartSum, "currency"> {
  readonly week: Date;
  readonly stage: string;
  readonly currency: string | null;
}

/**
 * Sums up what was merged by week, stage and currency. `pulls` counts workspaces of pull requests. With a stage in the filter: only of
 * it.
 */
export const sumMergedChanges = async (db: Db, filter: MergedFilter): Promise<readonly MergedChange[]> =>
  sumParts(db, "stages", filter, {
    by: `${WEEK} as week, part.stage`,
    change: sql`part.change::numeric`,
    ...(filter.stage !== undefined && { only: isStage(filter.stage) }),
  });

/** The first moment of the week, a Monday in UTC. */
const WEEK = "date_trunc('week', part.merged_at, 'UTC')";
