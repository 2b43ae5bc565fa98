import { type Kysely, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { CostKnowledge } from "../tables/history.ts";
import type { Tables } from "../tables/tables.ts";
import { type PullOutcome, selectOutcome } from "./pull-outcome.ts";
import { type CostFigures, isReadable, type RepositoryIds, selectTotals } from "./readable.ts";

/** An open pull request in a list. Null: unknown, unless said otherwise. Names and texts are not escaped. */
export interface OpenPull extends PullKey {
  /** `owner/name`, for display and addresses. */
  readonly repository: string;
  readonly title: string | null;
  /** Login; null also: the account is deleted. */
  readonly author: string | null;
  readonly isDraft: boolean | null;
  readonly openedAt: Date | null;
  readonly baseRef: string;
  readonly headSha: string;
  readonly outcome: PullOutcome;
  /** Null: it has no evaluation. */
  readonly evaluationId: number | null;
  /** When the newest evaluation first came to its result; null: it has none. */
  readonly evaluatedAt: Date | null;
  /** Null also: it has no evaluation. */
  readonly cost: CostKnowledge | null;
  /** Per month; one per currency; empty where figures are hidden or unknown. */
  readonly totals: readonly CostFigures[];
  /** Who can give the approvals that it lacks: `ada`, or `acme/finops` for a team. */
  readonly waitingFor: readonly string[];
}

export interface OpenPullFilter {
  readonly repositoryIds: RepositoryIds;
  readonly outcomes?: readonly PullOutcome[];
  /** Name of a stage or workspace that it changes; exact. */
  readonly stage?: string;
  /** Login, in any case. */
  readonly author?: string;
  /** See `waitingFor`. */
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

export interface OpenPullList {
  readonly pulls: readonly OpenPull[];
  /** Number of all pull requests that match the filter. */
  readonly total: number;
}

/** Lists the open pull requests of these repositories. */
export async function listOpenPulls(
  db: Kysely<Tables>,
  filter: OpenPullFilter,
  { sort, direction, limit, offset }: OpenPullPage,
): Promise<OpenPullList> {
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
  db: Kysely<Tables>,
  filter: OpenPullFilter,
  { after, limit }: { readonly after: PullKey | null; readonly limit: number },
): Promise<readonly OpenPull[]> =>
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

const selectListed = (matching: ReturnType<typeof selectOpenPulls>) =>
  matching
    .select(["pulls.repository_id as repositoryId", "pulls.number", "pulls.title"])
    .select(["pulls.author_login as author", "pulls.is_draft as isDraft", "pulls.opened_at as openedAt"])
    .select(sql<string>`repositories.owner_login || '/' || repositories.name`.as("repository"))
    .select(["pulls.base_ref as baseRef", "pulls.head_sha as headSha"])
    .select(["evaluations.evaluation_id as evaluationId", "evaluations.begun_at as evaluatedAt"])
    .select(["evaluations.cost", selectOutcome.as("outcome")])
    .select([selectTotals("evaluations.evaluation_id").as("totals"), APPROVERS.as("waitingFor")]);

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
export function selectOpenPulls(db: Kysely<Tables>, filter: OpenPullFilter) {
  const { repositoryIds, outcomes, stage, author, approver, text, isIncrease } = filter;
  return db
    .selectFrom("pulls")
    .innerJoin("repositories", "repositories.repository_id", "pulls.repository_id")
    .leftJoin("evaluations", (join) =>
      join
        .onRef("evaluations.repository_id", "=", "pulls.repository_id")
        .onRef("evaluations.number", "=", "pulls.number"),
    )
    .where("pulls.state", "=", "open")
    .where(isReadable("pulls.repository_id", repositoryIds))
    .$if(outcomes !== undefined, (query) => query.where(selectOutcome, "in", [...(outcomes ?? [])]))
    .$if(stage !== undefined, (query) => query.where(hasStage(stage ?? "")))
    .$if(author !== undefined, (query) =>
      query.where(sql`lower(pulls.author_login)`, "=", (author ?? "").toLowerCase()),
    )
    .$if(approver !== undefined, (query) => query.where(lacksApproval(approver ?? "")))
    .$if(text !== undefined, (query) => query.where(hasText(text ?? "")))
    .$if(isIncrease === true, (query) => query.where(IS_INCREASE));
}

const hasStage = (stage: string) => sql<boolean>`exists (select from evaluation_stages as stage
  where stage.evaluation_id = evaluations.evaluation_id and ${stage} in (stage.name, stage.workspace))`;

const lacksApproval = (approver: string) => sql<boolean>`exists (select from evaluation_approvals as need
  where need.evaluation_id = evaluations.evaluation_id and need.approver = ${approver})`;

const IS_INCREASE = sql<boolean>`exists (select from evaluation_totals as total
  where total.evaluation_id = evaluations.evaluation_id and total.change > 0 and repositories.figures)`;

/** The text is searched as it is: its characters are no pattern. */
const hasText = (text: string) => sql<boolean>`strpos(lower(concat_ws(' ', pulls.title, pulls.author_login,
  repositories.owner_login || '/' || repositories.name, '#' || pulls.number)), ${text.toLowerCase()}) > 0`;
