import { z } from "zod";
import { readGraphql } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { requestById } from "../client/installation-client.ts";
import { readPages } from "../client/read-answer.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";
import { CLAIMS_QUERY, COMMIT_CLAIMS_QUERY } from "./head-query.ts";
import {
  type RawActor,
  type RawCheck,
  type RawClaims,
  RawCommitClaims,
  RawFurtherClaims,
  type RawStatus,
} from "./head-schema.ts";
import type { Actor, CheckClaim, StatusClaim } from "./head-state.ts";

export interface Claims {
  readonly statuses: readonly StatusClaim[];
  readonly checks: readonly CheckClaim[];
  readonly complete: boolean;
}

interface ClaimsRequest {
  readonly owner: string;
  readonly name: string;
  readonly sha: string;
  readonly page: number;
}

const MAX_PAGES = 30;

/** All statuses and checks of a commit, from the first page on; null: the commit has none. Throws `GitHubError`. */
export async function readAllClaims(
  client: InstallationClient,
  at: ClaimsRequest,
  first: RawClaims | null,
): Promise<Claims> {
  if (first === null) return { statuses: [], checks: [], complete: true };
  const nodes = [...first.nodes];
  let { pageInfo } = first;
  for (let page = 1; pageInfo.hasNextPage && page < MAX_PAGES; page += 1) {
    const variables = { ...at, after: pageInfo.endCursor ?? "" };
    const call = client.octokit.graphql(CLAIMS_QUERY, variables);
    const { data, errors } = await readGraphql(call, RawFurtherClaims);
    const further = data.repository?.object?.statusCheckRollup?.contexts;
    if (further === undefined || errors.length > 0)
      throw new GitHubError(createGitHubFailure("unavailable", "a page of checks is missing"));
    nodes.push(...further.nodes);
    pageInfo = further.pageInfo;
  }
  const statuses = nodes.filter((node) => node.__typename === "StatusContext").map(toStatusClaim);
  const checks = nodes.filter((node) => node.__typename === "CheckRun").map(toCheckClaim);
  return { statuses, checks, complete: !pageInfo.hasNextPage };
}

const STATUS_STATES = ["error", "expected", "failure", "pending", "success"] as const;
const CHECK_STATUSES = ["completed", "in_progress", "pending", "queued", "requested", "waiting"] as const;
const ACTOR_TYPES = ["User", "Bot", "Organization", "Mannequin", "EnterpriseUserAccount"] as const;

export const toCheckStatus = (status: string): CheckClaim["status"] =>
  CHECK_STATUSES.find((known) => known === status) ?? "unknown";

function toStatusClaim(raw: RawStatus): StatusClaim {
  const { context, targetUrl } = raw;
  const state = STATUS_STATES.find((known) => known === raw.state.toLowerCase()) ?? "pending"; // unknown is not settled
  return { context, state, targetUrl, creator: toActor(raw.creator) };
}

function toCheckClaim(raw: RawCheck): CheckClaim {
  const { name, detailsUrl, externalId } = raw;
  const status = toCheckStatus(raw.status.toLowerCase());
  const conclusion = raw.conclusion?.toLowerCase() ?? null;
  const { app } = raw.checkSuite;
  const posted = { appId: app?.databaseId ?? null, appSlug: app?.slug ?? null };
  return { id: raw.databaseId, nodeId: raw.id, name, status, conclusion, detailsUrl, externalId, ...posted };
}

export function toActor(raw: RawActor | null): Actor | null {
  if (raw === null) return null;
  const type = ACTOR_TYPES.find((known) => known === raw.__typename) ?? "unknown";
  return { id: raw.databaseId ?? null, login: raw.login, type };
}

const PAGE = 100;

/** Reads the statuses and checks of a commit. Throws `GitHubError`, also for a missing commit and one of another repository. */
export async function readCommitClaims(
  client: InstallationClient,
  repository: { readonly id: number; readonly owner: string; readonly name: string },
  sha: string,
): Promise<Claims> {
  const { id, owner, name } = repository;
  const at = { owner, name, sha, page: PAGE };
  const call = client.octokit.graphql(COMMIT_CLAIMS_QUERY, at);
  const { data, errors } = await readGraphql(call, RawCommitClaims);
  const home = data.repository;
  if (home?.databaseId !== id || home.object === null || errors.length > 0)
    throw new GitHubError(createGitHubFailure("unavailable", "the commit cannot be read"));
  return readAllClaims(client, at, home.object.statusCheckRollup?.contexts ?? null);
}

const Posted = z
  .object({
    context: z.string(),
    state: z.enum(STATUS_STATES).catch("pending"), // unknown is not settled
    target_url: z.string().nullish(),
    creator: z
      .object({
        id: z.int(),
        login: z.string(),
        type: z.enum(ACTOR_TYPES).or(z.literal("unknown")).catch("unknown"),
      })
      .nullish(),
  })
  .transform(
    ({ context, state, ...posted }): StatusClaim => ({
      context,
      state,
      targetUrl: posted.target_url ?? null,
      creator: posted.creator ?? null,
    }),
  );

/** GitHub keeps 1,000 statuses of a context on a commit. */
const MAX_STATUS_PAGES = 10;

/**
 * Every status that was posted on a commit, newest first, of which a head shows only the newest of each context. The newest 1,000: of a
 * commit with more, older ones are left out.
 * https://docs.github.com/en/rest/commits/statuses#list-commit-statuses-for-a-reference
 */
export const readStatusHistory = (
  { octokit }: InstallationClient,
  { repositoryId, sha }: { readonly repositoryId: number; readonly sha: string },
): Promise<readonly StatusClaim[]> =>
  readPages(
    (page) =>
      requestById(octokit, "GET /repos/{owner}/{repo}/commits/{ref}/statuses", {
        repository_id: repositoryId,
        ref: sha,
        ...page,
      }),
    z.array(Posted),
    MAX_STATUS_PAGES,
  );
