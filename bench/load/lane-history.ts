import type { Client } from "pg";
import { withClient } from "./stored.ts";

/** Contradictions whose history is printed. */
const MOST = 5;

/** Prints what happened in the lanes that a contradiction names as `owner/name#number`: their jobs and their evaluations. */
export const printHistories = (url: string, problems: readonly string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const problem of problems.slice(0, MOST)) {
      const [, repository = "", number = ""] = /^(\S+)#(\d+)/.exec(problem) ?? [];
      console.log(`  ! ${problem}`);
      for (const line of await readHistory(client, { repository, number })) console.log(`      ${line}`);
    }
  });

async function readHistory(
  client: Client,
  { repository, number }: { readonly repository: string; readonly number: string },
): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(HISTORY, [repository, number]);
  return rows.map(({ line }) => line);
}

const HISTORY = `
  with pull as (
    select repository_id, number from pulls join repositories using (repository_id)
    where owner_login || '/' || name = $1 and number = $2::integer
  ), evaluation as (
    select repository_id, number, decision, digest, head_sha, begun_at, created_at, evaluation from evaluations
    union all select repository_id, number, decision, digest, head_sha, begun_at, created_at, evaluation from past_evaluations
  )
  select line from (
    select started_on as at, format('%s job %s, attempt %s, %s to %s', job.name, state, retry_count + 1, started_on, completed_on) as line
    from queue.job, pull where job.name in ('lane', 'comment')
      and data ->> 'lane' like '%' || pull.repository_id || '%' and data ->> 'lane' ~ ('\\D' || pull.number || '$')
    union all
    select created_at, format('evaluation %s of %s: %s, begun %s, last %s %s', left(digest, 8), left(head_sha, 7), decision, begun_at, created_at,
      case decision when 'in_progress' then evaluation -> 'value' -> 'situation' || jsonb_build_object('stages', evaluation -> 'value' -> 'report' -> 'stages') end)
    from evaluation join pull using (repository_id, number)
  ) as happened order by at nulls last`;
