import { Hono } from "hono";
import type { Kysely } from "kysely";
import { type Clock, MINUTE_MS } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import { cutText } from "../../kernel/shorten.ts";
import { findMergeGroup } from "../../store/merge-groups.ts";
import { findPull, listOpenCommitPulls } from "../../store/pulls.ts";
import { findRepository, type Repository } from "../../store/repositories.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { createJobToken, verifyToken } from "../../store/tokens.ts";
import { RefusalError, readBody, refuse } from "../read-json.ts";
import { JOB_TOKEN_PATH, type JobAccess, JobRequest } from "./job-access.ts";
import { isJobOfBranch, type JobClaims, type VerifyIdToken } from "./verify-id-token.ts";

export interface JobTokenRouteDeps extends ExchangeDeps {
  readonly verify: VerifyIdToken;
  /** Receives each outcome, without credentials, and the refusal if it is one. */
  readonly onOutcome: (outcome: object, refusal: RefusalError | null) => void;
}

type StoredTokenDeps = Pick<ExchangeDeps, "db" | "clock" | "githubPages">;

const BODY = {
  schema: JobRequest,
  limits: { maxBytes: 4 * 1024, timeoutMs: 5_000 },
  hint: "Send a JSON object with org, project, sha or none of them.",
} as const;

/**
 * `POST /tollgate/v1/job-token` with `Authorization: Bearer <id token>`: exchanges the id token of a GitHub Actions job for a
 * token of the embedded platform. `deps` is null on a server that cannot: it has no public URL, or the operator switched it off. A token for
 * imports in the place of an id token is answered with itself and what it is bound to.
 */
export function createJobTokenRoute(deps: JobTokenRouteDeps | null, stored: StoredTokenDeps): Hono {
  return new Hono().post(JOB_TOKEN_PATH, async ({ req }) => {
    const token = readBearer(req.raw);
    if (token.startsWith("tg_"))
      return Response.json(await describeToken(stored, token, await readBody(req.raw, BODY)));
    if (deps === null)
      throw refuse(
        403,
        "this server accepts no id tokens of CI jobs",
        "The operator sets PUBLIC_URL to the URL that the job calls; or use a token made with `tollgate token create`.",
      );
    let job = {};
    try {
      const claims = await deps.verify(token);
      const { repository_id: repositoryId, run_id: runId, event_name: event, sha } = claims;
      job = { repositoryId, runId, event, sha };
      const access = await exchange(deps, claims, req.raw);
      deps.onOutcome({ ...job, head: access.sha }, null);
      return Response.json(access);
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const { status, message, hint } = error;
      deps.onOutcome({ ...job, refused: status, message, hint }, error);
      throw error;
    }
  });
}

const readBearer = (request: Request): string =>
  /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";

async function describeToken(
  { db, clock, githubPages }: StoredTokenDeps,
  text: string,
  wanted: JobRequest,
): Promise<JobAccess> {
  const token = await verifyToken(db, text, clock);
  if (token === null) throw refuse(401, "the token is not valid", "Make one with `tollgate token create`.");
  const repository = token.purpose === "import" ? await findRepository(db, token.repositoryId) : undefined;
  if (token.purpose !== "import" || repository === undefined)
    throw refuse(
      403,
      "the token is not bound to a repository of this Tollgate",
      "Name --org, --project and --repository, or use a token made with `--for import --repository OWNER/NAME`.",
    );
  const sha = token.headSha ?? wanted.sha;
  if (sha == null) throw refuse(400, "sha is missing", "Name the pull request's head.");
  const { account, org, project } = token;
  chooseProject([{ org, project }], { org, project }, wanted);
  const label = `${repository.owner_login}/${repository.name}`;
  const of = { account, org, project, repository: label, repository_url: `${githubPages}/${label}` };
  return { token: text, expires: null, ...of, sha };
}

async function exchange(deps: JobTokenRouteDeps, claims: JobClaims, request: Request): Promise<JobAccess> {
  const wanted = await readBody(request, BODY);
  return exchangeIdToken(deps, claims, wanted).catch((error: unknown) => {
    if (!(error instanceof TollgateError && error.code === "github_failed")) throw error;
    throw refuse(503, "GitHub gave no answer about the commit", "Repeat it in a minute.");
  });
}

interface ExchangeDeps extends OpenHeadDeps {
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
const JOB_TOKEN_MS = 30 * MINUTE_MS;

/**
 * Exchanges the verified claims of an id token for an `import` token of the job's repository that is bound to its open head and
 * expires after half an hour. Each id token is exchanged once.
 *
 * @throws RefusalError, and `github_failed` when GitHub gives no answer
 */
async function exchangeIdToken(
  deps: ExchangeDeps,
  claims: JobClaims,
  wanted: JobRequest,
): Promise<JobAccess> {
  const repository = await findClaimedRepository(deps, claims);
  const { repository_id: repositoryId, repository_owner_id: ownerId } = claims;
  const own = { org: repository.owner_login, project: repository.name };
  const project = chooseProject(deps.listGrantedProjects({ ownerId, repositoryId }), own, wanted);
  const sha = await findOpenHead(deps, repository, claims, wanted.sha ?? null);
  const { account } = deps;
  const job = {
    grant: { purpose: "import" as const, account, repositoryId, ...project },
    details: {
      name: `GitHub Actions run ${claims.run_id}`,
      createdBy: claims.repository,
      validMs: JOB_TOKEN_MS,
    },
    headSha: sha,
    exchanged: `${deps.issuer}\n${claims.jti}`,
  };
  const token = await createJobToken(deps.db, job, deps.clock);
  if (token === null) throw refuse(409, "the id token was used before", "Request a new one in the same job.");
  const label = `${repository.owner_login}/${repository.name}`;
  return {
    token: token.secret,
    expires: new Date(token.expiresMs ?? 0).toISOString(),
    account,
    ...project,
    repository: label,
    repository_url: `${deps.githubPages}/${label}`,
    sha,
  };
}

/** The repository by its id, which survives renames; a repository without the App is not known. */
async function findClaimedRepository(
  { db }: Pick<ExchangeDeps, "db">,
  { repository_id, repository_owner_id, repository }: JobClaims,
): Promise<Repository> {
  const found = await findRepository(db, repository_id);
  if (found !== undefined && (found.owner_id === null || found.owner_id === repository_owner_id))
    return found;
  throw refuse(
    403,
    `the repository ${cutText(JSON.stringify(repository), 200)} is not known here`,
    "Install the GitHub App of this Tollgate on the repository.",
  );
}

/** A project of the platform that the operator granted to a repository; without `project`: every project of the org. */
export interface GrantedProject {
  readonly org: string;
  readonly project?: string | undefined;
}

/**
 * Returns the project that a job may write to: the only granted one that it asks for. Without any grant a
 * repository has the project with its own name.
 */
function chooseProject(
  granted: readonly GrantedProject[],
  own: Required<GrantedProject>,
  wanted: JobRequest,
): { readonly org: string; readonly project: string } {
  const all = granted.length === 0 ? [own] : granted;
  const fitting = all.flatMap(({ org, project = wanted.project }) =>
    project !== undefined && org === (wanted.org ?? org) && project === (wanted.project ?? project)
      ? [{ org, project }]
      : [],
  );
  const distinct = new Map(fitting.map((one) => [JSON.stringify([one.org, one.project]), one]));
  const [only, ...others] = distinct.values();
  if (only !== undefined && others.length === 0) return only;
  const names = all.map(({ org, project = "(any)" }) => `${org}/${project}`).join(", ");
  throw refuse(
    403,
    only === undefined
      ? `the repository may write to ${names} and to no other project`
      : `the repository may write to several projects: ${names}`,
    "Name one with --org and --project, or have the operator grant it to this repository.",
  );
}

/** A pull request as GitHub shows it now, and what a commit merges. */
export interface PullMerge {
  readonly isOpen: boolean;
  readonly headSha: Sha;
  readonly headBranch: string;
  /** Parents of the commit; empty: GitHub does not have the commit. */
  readonly parents: readonly string[];
}

/** GitHub's answers; null: there is no such pull request. They throw `github_failed` when GitHub gives none. */
interface OpenHeadDeps {
  readonly db: Kysely<Tables>;
  readonly readPullMerge: (repository: Repository, number: number, sha: Sha) => Promise<PullMerge | null>;
  readonly readDefaultBranch: (repository: Repository) => Promise<string>;
  /** Reads a commit's open pull requests and stores them. */
  readonly saveCommitPulls: (repository: Repository, sha: Sha) => Promise<void>;
}

/**
 * Events whose `sha` is the tip of a branch: the workflow itself says for which head it works, as with a secret of the repository. It is
 * trusted only where it comes from the default branch: the workflow of any other branch is written by whoever may push that branch.
 */
const EVENTS_OF_TRUSTED_WORKFLOWS: ReadonlySet<string> = new Set(["pull_request_target", "workflow_run"]);

/**
 * Returns the open head, or the commit of the merge group, that a job works for. Of `pull_request` the claimed commit is the test merge,
 * which changes whenever the base branch moves: it counts while it merges the pull request's present head.
 */
async function findOpenHead(
  deps: OpenHeadDeps,
  repository: Repository,
  claims: JobClaims,
  wantedSha: Sha | null,
): Promise<Sha> {
  const head = await findClaimedHead(deps, repository, claims, wantedSha);
  if (wantedSha === null || wantedSha === head || wantedSha === claims.sha) return head;
  throw refuse(
    403,
    `the job works for the commit ${head}, not for the one that it names`,
    "Leave --sha out: the id token says which commit the job is of.",
  );
}

function findClaimedHead(
  deps: OpenHeadDeps,
  repository: Repository,
  claims: JobClaims,
  wantedSha: Sha | null,
): Promise<Sha> {
  const [, number] = /^refs\/pull\/(\d{1,9})\/merge$/.exec(claims.ref) ?? [];
  if (number !== undefined) return findMergedHead(deps, repository, Number(number), claims.sha);
  if (claims.event_name === "merge_group") return findGroupCommit(deps, repository, claims.sha);
  if (!EVENTS_OF_TRUSTED_WORKFLOWS.has(claims.event_name)) return findHead(deps, repository, claims.sha);
  return findNamedHead(deps, repository, claims, wantedSha);
}

/** The commit of a merge group that GitHub announced. */
async function findGroupCommit({ db }: OpenHeadDeps, repository: Repository, sha: Sha): Promise<Sha> {
  if ((await findMergeGroup(db, repository.repository_id, sha)) !== undefined) return sha;
  throw createNotOpenError("the commit is not that of a merge group that waits in a queue");
}

async function findNamedHead(
  deps: OpenHeadDeps,
  repository: Repository,
  claims: JobClaims,
  wantedSha: Sha | null,
): Promise<Sha> {
  const { event_name: event, ref, workflow_ref: workflow } = claims;
  const branch = await deps.readDefaultBranch(repository);
  if (!isJobOfBranch(claims, branch))
    throw refuse(
      403,
      `the job of ${event} runs a workflow of ${workflow?.split("@").at(-1) ?? ref}, and only one of refs/heads/${branch} may name a head`,
      "Merge the workflow into the default branch, and let it run from there.",
    );
  if (wantedSha === null)
    throw refuse(
      422,
      `a job of ${event} runs on the default branch, so its id token does not say which head it is for`,
      "Name the pull request's head with --sha.",
    );
  return event === "pull_request_target"
    ? findHeadOfBranches(deps, repository, claims, wantedSha)
    : findHead(deps, repository, wantedSha);
}

/** The id token of `pull_request_target` states the branches of its pull request: its job names no head of another one. */
async function findHeadOfBranches(
  deps: OpenHeadDeps,
  repository: Repository,
  claims: JobClaims,
  sha: Sha,
): Promise<Sha> {
  for (const { number, base_ref } of await findPullsOfHead(deps, repository, sha)) {
    if (base_ref !== claims.base_ref) continue;
    const read = await deps.readPullMerge(repository, number, sha);
    if (read?.isOpen === true && read.headSha === sha && read.headBranch === claims.head_ref) return sha;
  }
  throw refuse(
    403,
    `the commit is not the head of an open pull request of the job's branches (${claims.head_ref || "none"} into ${claims.base_ref || "none"})`,
    "Give --sha the value of github.event.pull_request.head.sha.",
  );
}

async function findMergedHead(
  deps: OpenHeadDeps,
  repository: Repository,
  number: number,
  sha: Sha,
): Promise<Sha> {
  const { repository_id: repositoryId } = repository;
  const known = await findPull(deps.db, { repositoryId, number });
  if (known?.state === "open" && known.head_sha === sha) return toOpenHead(known.head_sha);
  // The stored test merge does not count: for a moment after a push GitHub states that of the earlier head.
  const read = await deps.readPullMerge(repository, number, sha);
  if (read === null || !read.isOpen) throw createNotOpenError(`pull request #${number} is not open`);
  if (read.headSha === sha || read.parents.includes(read.headSha)) return read.headSha;
  throw refuse(
    422,
    `pull request #${number} has a newer head than this job`,
    "Nothing is to do: the job of the newer commit sends its own files.",
  );
}

const createNotOpenError = (message: string): RefusalError =>
  refuse(422, message, "Send files from jobs of open pull requests only (on: pull_request).");

async function findPullsOfHead(deps: OpenHeadDeps, repository: Repository, sha: Sha) {
  const find = async () =>
    (await listOpenCommitPulls(deps.db, repository.repository_id, sha)).filter((one) => one.head_sha === sha);
  const known = await find();
  if (known.length > 0) return known;
  await deps.saveCommitPulls(repository, sha);
  return find();
}

async function findHead(deps: OpenHeadDeps, repository: Repository, sha: Sha): Promise<Sha> {
  const [pull] = await findPullsOfHead(deps, repository, sha);
  if (pull === undefined) throw createNotOpenError("the commit is not the head of an open pull request");
  return toOpenHead(pull.head_sha);
}

/** Heads are stored as GitHub states them; one of another form is no head. */
function toOpenHead(text: string): Sha {
  const sha = parseSha(text);
  if (sha === null) throw createNotOpenError("the pull request's head is not a full commit id");
  return sha;
}
