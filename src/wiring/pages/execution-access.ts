import { LRUCache } from "lru-cache";
import { canSeeProject } from "../../evaluate/facts/grants.ts";
import { readExecutionFacts } from "../../evaluate/facts/read-facts.ts";
import type { JobDeps } from "../../evaluate/run/deps.ts";
import type { ExecutionRef } from "../../kernel/ids.ts";
import { parseExecutionUrl } from "../../platform/execution-url.ts";
import { listExecutionCommits } from "../../platform-server/executions/commits.ts";
import { type ExecutionRow, listStages } from "../../platform-server/executions/stages.ts";
import { buildReport } from "../../report/build.ts";
import type { StageFacts } from "../../report/model/facts.ts";
import type { Report } from "../../report/model/report.ts";
import { findProjectOwner, listBoundCommits } from "../../store/bindings.ts";
import { findRepository, type Repository } from "../../store/repositories.ts";
import type { ProjectKey } from "../../store/tables/project-key.ts";
import type { ExecutionAccess } from "../../web/page/page.ts";
import { inventId } from "../../web/pages/scope.ts";
import type { Reader } from "../../web/reader.ts";

type AccessDeps = Pick<JobDeps, "db" | "operator" | "platform">;

/** Builds what the page of an execution needs; null: the platform is elsewhere. */
export function buildExecutionAccess(deps: AccessDeps): ExecutionAccess | null {
  const { account, platformHosts: hosts, embedded } = deps.operator;
  const readReport = createReportReader(deps);
  const find: ExecutionAccess["find"] = async (execution, stageId, canRead) => {
    const { org, project, executionId: pipeline_execution_id } = execution;
    const key = { account, org, project, pipeline_execution_id };
    const [stages, recorded, bound] = await Promise.all([
      listStages(deps.db, key),
      listExecutionCommits(deps.db, key),
      listBoundCommits(deps.db, key),
    ]);
    const [first] = stages;
    const commits = [...recorded, ...bound];
    const named = first === undefined || commits.length > 0 ? commits : await listOwner(deps, key);
    if (named.length === 0) await canRead(inventId(JSON.stringify(key)));
    const repository = await chooseRepository(deps, named, { execution, canRead });
    const report = repository && (await readReport(execution, stageId, stages));
    if (first === undefined || repository === null || report === null) return null;
    const isOwn = (one: Repository) => one.repository_id === repository.repository_id;
    const own = recorded.filter(isOwn);
    const shas = (own.length > 0 ? own : bound.filter(isOwn)).map(({ sha }) => sha);
    const anonymous = first.head_sha === null ? "a token without a name" : "a CI job";
    return {
      ...{ repository, report, pipeline: first.pipeline, createdMs: first.created_ms },
      shas: [...new Set(shas)],
      writers: [...new Set(own.map(({ writer }) => writer ?? anonymous))],
    };
  };
  const parseUrl = (url: string) => {
    const parsed = parseExecutionUrl(url, { account, hosts });
    return parsed.state === "found" ? parsed : null;
  };
  return embedded ? { find, parseUrl } : null;
}

/** Resources, rows and modules of all cached reports together: some 100 MB. */
const MAX_LINES = 60_000;

/** Keeps the ended executions that readers looked at last, so that sorting and paging a large one does not read it again. */
function createReportReader(deps: AccessDeps) {
  const cache = new LRUCache<string, Report>({
    maxSize: MAX_LINES,
    sizeCalculation: ({ resources, rows, modules }) => 100 + resources.length + rows.length + modules.length,
  });
  return async (execution: ExecutionRef, stageId: string | null, stages: readonly ExecutionRow[]) => {
    const { org, project, executionId } = execution;
    const began = stages.map(({ pipeline_stage_id: id, created_ms }) => [id, created_ms]);
    const key = JSON.stringify([org, project, executionId, stageId, began]);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const facts = await readExecutionFacts(deps, execution, stageId);
    if (facts === null) return null;
    const report = buildReport(facts, { stages: [] });
    if (facts.stages.every(isWhole)) cache.set(key, report);
    return report;
  };
}

/** Whether all is known of a stage: then it has ended, and stays as it is. */
const isWhole = ({ cost, modules, counts, rows }: StageFacts): boolean =>
  [cost, modules, counts].every(({ state }) => state === "known") &&
  rows.state === "known" &&
  rows.value.rows.every(({ attributesBecause }) => attributesBecause === undefined);

async function listOwner({ db }: AccessDeps, project: ProjectKey): Promise<readonly Repository[]> {
  const id = await findProjectOwner(db, project);
  const owner = id === null ? undefined : await findRepository(db, id);
  return owner === undefined ? [] : [owner];
}

/** Most repositories of one execution of which GitHub is asked whether the reader can read them. */
const MAX_REPOSITORIES = 20;

/**
 * Chooses, of the repositories of an execution's commits, or of the owner of its project, one that the reader can read, with figures if there is
 * one. The operator's grants decide which may see the project.
 */
async function chooseRepository(
  deps: AccessDeps,
  repositories: readonly Repository[],
  { execution, canRead }: { readonly execution: ExecutionRef; readonly canRead: Reader["canRead"] },
): Promise<Repository | null> {
  const readable: Repository[] = [];
  const named = new Map(repositories.map((one) => [one.repository_id, one]));
  for (const one of [...named.values()].slice(0, MAX_REPOSITORIES)) {
    const { repository_id: id, owner_id, owner_login: owner, name } = one;
    const grantee = { id, ownerId: owner_id ?? 0, owner, name };
    if ((await canRead(id)) && (await canSeeProject(deps, grantee, execution))) readable.push(one);
  }
  return readable.find(({ figures }) => figures === true) ?? readable[0] ?? null;
}
