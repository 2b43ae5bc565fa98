import { type Kysely, sql } from "kysely";
import type { PullKey } from "../../kernel/ids.ts";
import type { Tables } from "../tables/tables.ts";

/** What pull requests that can be evaluated again rest on. It is kept however old it is. */
export interface NeededData {
  /** Ids of executions that their newest evaluations and their bindings name. */
  readonly executions: ReadonlySet<string>;
  /** Their heads and test merges. */
  readonly commits: ReadonlySet<string>;
}

const PAGE = 10;

/**
 * Reads what open pull requests, and those that were closed after `closedAfter`, rest on. A pull request that was closed and is
 * reopened soon after keeps its verdict.
 */
export async function readNeededData(
  db: Kysely<Tables>,
  closedAfter: Date,
  pause: () => Promise<void>,
): Promise<NeededData> {
  const executions = new Set<string>();
  const commits = new Set<string>();
  for await (const pull of listNeedingPulls(db, closedAfter, pause)) {
    for (const sha of pull.commits) if (sha !== null) commits.add(sha);
    for (const id of pull.executions) executions.add(id);
  }
  return { executions, commits };
}

async function* listNeedingPulls(
  db: Kysely<Tables>,
  closedAfter: Date,
  pause: () => Promise<void>,
): AsyncGenerator<NeedingPull> {
  let last: PullKey | null = { repositoryId: 0, number: 0 };
  while (last !== null) {
    const pulls: readonly NeedingPull[] = await readPulls(db, last, closedAfter);
    yield* pulls;
    last = pulls.length < PAGE ? null : (pulls.at(-1) ?? null);
    await pause();
  }
}

interface NeedingPull extends PullKey {
  readonly executions: readonly string[];
  readonly commits: readonly (string | null)[];
}

const selectTexts = (path: string) =>
  sql`coalesce(jsonb_path_query_array(evaluations.evaluation, ${sql.lit(`$.value.report.${path}`)}), '[]')`;

async function readPulls(
  db: Kysely<Tables>,
  last: PullKey,
  closedAfter: Date,
): Promise<readonly NeedingPull[]> {
  const { rows } = await sql<NeedingPull>`
    select pulls.repository_id as "repositoryId", pulls.number,
      json_build_array(pulls.head_sha, pulls.merge_sha, pulls.announced_sha) as commits,
      ${selectTexts("stages[*].executionId")} || ${selectTexts("stages[*].superseded[*]")}
        || ${selectTexts("refused[*].executionId")}
        || (select coalesce(jsonb_agg(bindings.pipeline_execution_id), '[]') from bindings
          where bindings.repository_id = pulls.repository_id and bindings.head_sha = pulls.head_sha) as executions
    from pulls left join evaluations
      on evaluations.repository_id = pulls.repository_id and evaluations.number = pulls.number
    where (pulls.state = 'open' or pulls.updated_at >= ${closedAfter})
      and (pulls.repository_id, pulls.number) > (${last.repositoryId}, ${last.number})
    order by pulls.repository_id, pulls.number limit ${PAGE}`.execute(db);
  return rows;
}
