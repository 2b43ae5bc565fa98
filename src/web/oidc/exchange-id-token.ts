import type { Clock } from "../../kernel/clock.ts";
import { findRepository, type Repository } from "../../store/repositories.ts";
import { createJobToken } from "../../store/tokens.ts";
import { chooseProject, type GrantedProject } from "./choose-project.ts";
import { findOpenHead, type OpenHeadDeps } from "./find-open-head.ts";
import type { JobAccess, JobRequest } from "./job-access.ts";
import type { JobClaims } from "./job-claims.ts";
import { createRefusal, isRefusal, type Refusal } from "./refusal.ts";

export interface ExchangeDeps extends OpenHeadDeps {
  readonly clock: Clock;
  /** Account of the embedded platform. */
  readonly account: string;
  readonly issuer: string;
  /** Root of GitHub's pages, without a slash at the end. */
  readonly githubPages: string;
  /** The operator's grants to a repository. */
  readonly listGrantedProjects: (ids: { ownerId: number; repositoryId: number }) => readonly GrantedProject[];
}

/** An import of the largest files takes a few minutes. */
const JOB_TOKEN_MS = 30 * 60_000;

/**
 * Exchanges the verified claims of an id token for an `import` token of the job's repository that is bound to its open head and
 * expires after half an hour. Each id token is exchanged once. Throws `github_failed` when GitHub gives no answer.
 */
export async function exchangeIdToken(
  deps: ExchangeDeps,
  claims: JobClaims,
  wanted: JobRequest,
): Promise<JobAccess | Refusal> {
  const repository = await findClaimedRepository(deps, claims);
  if (isRefusal(repository)) return repository;
  const { repositoryId, ownerId } = claims;
  const own = { org: repository.owner_login, project: repository.name };
  const project = chooseProject(deps.listGrantedProjects({ ownerId, repositoryId }), own, wanted);
  if (isRefusal(project)) return project;
  const head = await findOpenHead(deps, repository, claims, wanted.sha ?? null);
  if (isRefusal(head)) return head;
  const { account } = deps;
  const job = {
    grant: { purpose: "import" as const, account, repositoryId, ...project },
    details: {
      name: `GitHub Actions run ${claims.runId}`,
      createdBy: claims.repository,
      validMs: JOB_TOKEN_MS,
    },
    headSha: head.sha,
    exchanged: `${deps.issuer}\n${claims.id}`,
  };
  const token = await createJobToken(deps.db, job, deps.clock);
  if (token === null)
    return createRefusal("repeated", "the id token was used before", "Request a new one in the same job.");
  const label = `${repository.owner_login}/${repository.name}`;
  return {
    token: token.secret,
    expires: new Date(token.expiresMs ?? 0).toISOString(),
    account,
    ...project,
    repository: label,
    repository_url: `${deps.githubPages}/${label}`,
    sha: head.sha,
  };
}

/** The repository by its id, which survives renames; a repository without the App is not known. */
async function findClaimedRepository(
  { db }: Pick<ExchangeDeps, "db">,
  { repositoryId, ownerId, repository }: JobClaims,
): Promise<Repository | Refusal> {
  const found = await findRepository(db, repositoryId);
  if (found !== undefined && (found.owner_id === null || found.owner_id === ownerId)) return found;
  const name = JSON.stringify(repository).slice(0, 200);
  return createRefusal(
    "forbidden",
    `the repository ${name} is not known here`,
    "Install the GitHub App of this Tollgate on the repository.",
  );
}
