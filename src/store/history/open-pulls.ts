import { sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import { type Decimal, sum } from "../../kernel/money.ts";
import type { TagLabel } from "../../report/model/report.ts";
import { isSamePull } from "../database/statements.ts";
import type { Db } from "../tables/tables.ts";
import { PULL_OUTCOMES, type PullOutcome, selectOutcome } from "./pull-history.ts";
import {
  isReadable,
  type RepositoryIds,
  selectExactSum,
  selectTagChanges,
  selectTotals,
} from "./readable.ts";

export interface OpenPullFilter {
  readonly repositoryIds: RepositoryIds;
  readonly outcomes?: readonly PullOutcome[];
  /** Name of a stage or workspace that it changes; exact. */
  readonly stage?: string;
  /** A value of a tag, or why there is none, of whose cost it changes something; exact. */
  readonly tag?: TagLabel;
  /** Login, in any case. */
  readonly author?: string;
  /** See `APPROVERS`. */
  readonly approver?: string;
  /** A part of its title, repository, author or number. */
  readonly text?: string;
  /** True: only those that raise the monthly cost. */
  readonly isIncrease?: boolean;
}

/** `change`: by currency, then by monthly change. Unknown is last in either direction. */
export type OpenPullSort = "change" | "evaluated" | "opened" | "title" | "author" | "repository";

export interface OpenPullPage {
  readonly sort: OpenPullSort;
  readonly direction: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

/** Lists the open pull requests of these repositories. `total`: number of all that match the filter. */
export async function listOpenPulls(
  db: Db,
  filter: OpenPullFilter,
  { sort, direction, limit, offset }: OpenPullPage,
) {
  const matching = selectOpenPulls(db, filter);
  const order = sql.raw(direction);
  const keys = SORT_KEYS[sort].map((key) => sql`${key} ${order} nulls last`);
  const [rows, counted] = [
    await selectListed(matching)
      .orderBy(sql.join(keys))
      .orderBy("pulls.repository_id")
      .orderBy("pulls.number", "desc")
      .limit(limit)
      .offset(offset)
      .execute(),
    await matching.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirst(),
  ];
  return { pulls: rows, total: counted?.total ?? 0 };
}

/** Lists open pull requests by repository, those with the largest numbers first. `after`: the last one of the page before. */
export const listOpenPullsAfter = (
  db: Db,
  filter: OpenPullFilter,
  { after, limit }: { readonly after: PullKey | null; readonly limit: number },
) =>
  selectListed(selectOpenPulls(db, filter))
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(pulls.repository_id, -pulls.number) > (${after?.repositoryId ?? 0}, ${-(after?.number ?? 0)})`,
      ),
    )
    .orderBy("pulls.repository_id")
    .orderBy("pulls.number", "desc")
    .limit(limit)
    .execute();

/**
 * An open pull request in a list. Null: unknown, or it has no evaluation. `evaluatedAt`: when its newest evaluation first came to its
 * result. Names and texts are not escaped.
 */
export type OpenPull = Awaited<ReturnType<typeof listOpenPullsAfter>>[number];

const selectListed = (matching: ReturnType<typeof selectOpenPulls>) =>
  matching
    .select(["pulls.repository_id as repositoryId", "pulls.number", "pulls.title"])
    .select(["pulls.author_login as author", "pulls.is_draft as isDraft", "pulls.opened_at as openedAt"])
    .select(sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository"))
    .select(["pulls.base_ref as baseRef", "pulls.head_sha as headSha"])
    .select(["evaluations.evaluation_id as evaluationId", "evaluations.begun_at as evaluatedAt"])
    .select(["evaluations.cost", selectOutcome.as("outcome")])
    .select([selectTotals("evaluations.evaluation_id").as("totals"), APPROVERS.as("waitingFor")])
    .select(selectTagChanges("evaluations.evaluation_id").as("tags"));

/** Who can give the approvals that it lacks: `ada`, or `acme/finops` for a team. */
const APPROVERS = sql<
  readonly string[]
>`(select coalesce(json_agg(distinct need.approver order by need.approver), '[]')
  from evaluation_approvals as need where need.evaluation_id = evaluations.evaluation_id)`;

const CHANGE = (
  column: "currency" | "change",
) => sql`(select ${sql.ref(`total.${column}`)} from evaluation_totals as total
  where total.evaluation_id = evaluations.evaluation_id and repositories.figures order by total.currency limit 1)`;

const SORT_KEYS = {
  change: [CHANGE("currency"), CHANGE("change")],
  evaluated: [sql`evaluations.begun_at`],
  opened: [sql`pulls.opened_at`],
  title: [sql`lower(pulls.title)`],
  author: [sql`lower(pulls.author_login)`],
  repository: [sql`lower(repositories.owner_login)`, sql`lower(repositories.name)`],
} as const;

/** Open pull requests with their repository and, if they have one, their newest evaluation. */
export function selectOpenPulls(db: Db, filter: OpenPullFilter) {
  const { repositoryIds, outcomes, stage, tag, author, approver, text, isIncrease } = filter;
  return db
    .selectFrom("pulls")
    .innerJoin("repositories", "repositories.repository_id", "pulls.repository_id")
    .leftJoin("evaluations", (join) => join.on(isSamePull("evaluations", "pulls")))
    .where("pulls.state", "=", "open")
    .where(isReadable("pulls.repository_id", repositoryIds))
    .$if(outcomes !== undefined, (query) => query.where(selectOutcome, "in", [...(outcomes ?? [])]))
    .$if(stage !== undefined, (query) => query.where(hasStage(stage ?? "")))
    .$if(tag !== undefined, (query) => query.where(hasTag(tag ?? { kind: "unknown", value: null })))
    .$if(author !== undefined, (query) =>
      query.where(sql`lower(pulls.author_login)`, "=", (author ?? "").toLowerCase()),
    )
    .$if(approver !== undefined, (query) => query.where(lacksApproval(approver ?? "")))
    .$if(text !== undefined, (query) => query.where(hasText(text ?? "")))
    .$if(isIncrease === true, (query) => query.where(IS_INCREASE));
}

const hasStage = (stage: string) => sql<boolean>`exists (select from evaluation_stages as stage
  where stage.evaluation_id = evaluations.evaluation_id and ${stage} in (stage.name, stage.workspace))`;

const hasTag = ({ kind, value }: TagLabel) => sql<boolean>`exists (select from evaluation_tags as tag
  where tag.evaluation_id = evaluations.evaluation_id and repositories.figures and tag.kind = ${kind}
    and tag.value is not distinct from ${value})`;

const lacksApproval = (approver: string) => sql<boolean>`exists (select from evaluation_approvals as need
  where need.evaluation_id = evaluations.evaluation_id and need.approver = ${approver})`;

const IS_INCREASE = sql<boolean>`exists (select from evaluation_totals as total
  where total.evaluation_id = evaluations.evaluation_id and total.change > 0 and repositories.figures)`;

/** The text is searched as it is: its characters are no pattern. */
export const hasText = (
  text: string,
) => sql<boolean>`strpos(lower(concat_ws(' ', pulls.title, pulls.author_login,
  repositories.owner_login || '/' || repositories.name, '#' || pulls.number)), ${text.toLowerCase()}) > 0`;

/** A sum of monthly changes in one currency. Pull requests with an unknown change are not in it. */
export interface ChangeSum {
  readonly currency: string;
  readonly change: Decimal;
  readonly pulls: number;
}

/** Adds up sums, one per currency; null: there is none. */
export const addChangeSums = (
  all: readonly (Omit<ChangeSum, "currency"> & { readonly currency: string | null })[],
): readonly ChangeSum[] =>
  [...Map.groupBy(all, ({ currency }) => currency)].flatMap(([currency, own]) =>
    currency === null
      ? []
      : [
          {
            currency,
            change: sum(own.map(({ change }) => change)),
            pulls: own.reduce((added, { pulls }) => added + pulls, 0),
          },
        ],
  );

/** Open pull requests with the same outcome, and the monthly change that waits in them. */
export type OpenChanges = Awaited<ReturnType<typeof sumOpenChanges>>[number];

/** Sums up the open pull requests of these repositories by outcome, in the order of `PULL_OUTCOMES`. */
export async function sumOpenChanges(db: Db, filter: OpenPullFilter) {
  const counts = await selectOpenPulls(db, filter)
    .select([selectOutcome.as("outcome"), sql<number>`count(*)`.as("pulls")])
    .select([countUnknown.as("unknown"), countHidden.as("hidden")])
    .groupBy(selectOutcome)
    .execute();
  const sums = await selectOpenPulls(db, filter)
    .innerJoin("evaluation_totals as total", "total.evaluation_id", "evaluations.evaluation_id")
    .where("repositories.figures", "=", true)
    .where("total.state", "=", "known")
    .where("total.change", "is not", null)
    .select([selectOutcome.as("outcome"), "total.currency"])
    .select([selectExactSum("total.change").as("change"), sql<number>`count(*)`.as("pulls")])
    .groupBy([selectOutcome, "total.currency"])
    .orderBy("total.currency")
    .execute();
  return PULL_OUTCOMES.flatMap((outcome) => {
    const own = counts.find((row) => row.outcome === outcome);
    if (own === undefined) return [];
    const ownSums = sums.filter((row) => row.outcome === outcome);
    return [{ ...own, sums: ownSums.map(({ currency, change, pulls }) => ({ currency, change, pulls })) }];
  });
}

/** What open pull requests change of the cost of one value of a tag, in one currency. `pulls`: their number; `unknown`: of those whose change is not fully known, and not in the sum. */
export type OpenTagChange = Awaited<ReturnType<typeof sumOpenTags>>[number];

/** Sums up what open pull requests change of the cost by tag; those whose figures readers may not see are not in it. */
export const sumOpenTags = (db: Db, filter: OpenPullFilter) =>
  selectOpenPulls(db, filter)
    .innerJoin("evaluation_tags as tag", "tag.evaluation_id", "evaluations.evaluation_id")
    .where("repositories.figures", "=", true)
    .select(["tag.key", "tag.kind", "tag.value", "tag.currency", sql<number>`count(*)`.as("pulls")])
    .select(
      sql<Decimal>`trim_scale(coalesce(sum(tag.change) filter (where tag.state = 'known'), 0))::text`.as(
        "change",
      ),
    )
    .select(sql<number>`count(*) filter (where tag.state <> 'known' or tag.change is null)`.as("unknown"))
    .groupBy(["tag.key", "tag.kind", "tag.value", "tag.currency"])
    .orderBy("pulls", "desc")
    .orderBy("tag.value")
    .execute();

const IS_HIDDEN = sql`(repositories.figures is not true or coalesce(evaluations.cost = 'hidden', false))`;
/** Those whose change is not fully known, so that sums lack it or a part of it: also those without any evaluation. */
const countUnknown = sql<number>`count(*) filter (where not ${IS_HIDDEN} and coalesce(evaluations.cost, 'unknown') = 'unknown')`;
/** Those whose figures this reader may not see. */
const countHidden = sql<number>`count(*) filter (where ${IS_HIDDEN})`;

/** Open pull requests that wait for the approval of one team or person. `oldestAt`: since when the one that waits longest does. */
export type WaitingApprovals = Awaited<ReturnType<typeof listWaitingApprovals>>[number];

/** The approvals that open pull requests of these repositories lack, by who can give them; most pull requests first. */
export async function listWaitingApprovals(db: Db, repositoryIds: RepositoryIds) {
  const counts = await selectNeeds(db, repositoryIds)
    .select(["need.approver", sql<number>`count(*)`.as("pulls")])
    .select(({ fn }) => fn.min("need.begun_at").as("oldestAt"))
    .select(sql<number>`count(*) filter (where need.figures and need.cost = 'unknown')`.as("unknown"))
    .select(sql<number>`count(*) filter (where need.figures is not true)`.as("hidden"))
    .groupBy("need.approver")
    .orderBy("pulls", "desc")
    .orderBy("need.approver")
    .execute();
  const sums = await selectNeeds(db, repositoryIds)
    .innerJoin("evaluation_totals as total", "total.evaluation_id", "need.evaluation_id")
    .where("need.figures", "=", true)
    .where("total.state", "=", "known")
    .where("total.change", "is not", null)
    .select(["need.approver", "total.currency"])
    .select([selectExactSum("total.change").as("change"), sql<number>`count(*)`.as("pulls")])
    .groupBy(["need.approver", "total.currency"])
    .orderBy("total.currency")
    .execute();
  return counts.map((row) => {
    const own = sums.filter(({ approver }) => approver === row.approver);
    return { ...row, sums: own.map(({ currency, change, pulls }) => ({ currency, change, pulls })) };
  });
}

/** One row for each approver and pull request, however many rules need the approval. */
const selectNeeds = (db: Db, repositoryIds: RepositoryIds) =>
  db.selectFrom((from) =>
    from
      .selectFrom("pulls")
      .innerJoin("repositories", "repositories.repository_id", "pulls.repository_id")
      .innerJoin("evaluations", (join) =>
        join.on(isSamePull("evaluations", "pulls")).onRef("evaluations.head_sha", "=", "pulls.head_sha"),
      )
      .innerJoin("evaluation_approvals as need", "need.evaluation_id", "evaluations.evaluation_id")
      .where("pulls.state", "=", "open")
      .where(isReadable("pulls.repository_id", repositoryIds))
      .select([
        "need.approver",
        "need.evaluation_id",
        "evaluations.begun_at",
        "evaluations.cost",
        "repositories.figures",
      ])
      .distinct()
      .as("need"),
  );
