import { toGraphqlResult } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { CLAIMS_QUERY } from "./head-query.ts";
import {
  type RawActor,
  type RawCheck,
  type RawClaims,
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

/** All statuses and checks of a commit, from the first page on. Null: the commit has none. */
export async function readAllClaims(
  client: InstallationClient,
  at: ClaimsRequest,
  first: RawClaims | null,
): Promise<GitHubResult<Claims>> {
  if (first === null) return succeeded({ statuses: [], checks: [], complete: true });
  const nodes = [...first.nodes];
  let { pageInfo } = first;
  for (let page = 1; pageInfo.hasNextPage && page < MAX_PAGES; page += 1) {
    const variables = { ...at, after: pageInfo.endCursor ?? "" };
    const answer = await toGraphqlResult(client.octokit.graphql(CLAIMS_QUERY, variables), RawFurtherClaims);
    if (!answer.ok) return answer;
    const further = answer.value.data.repository?.object?.statusCheckRollup?.contexts;
    if (further === undefined || answer.value.errors.length > 0)
      return failed("unavailable", "a page of checks is missing");
    nodes.push(...further.nodes);
    pageInfo = further.pageInfo;
  }
  const statuses = nodes.filter((node) => node.__typename === "StatusContext").map(toStatusClaim);
  const checks = nodes.filter((node) => node.__typename === "CheckRun").map(toCheckClaim);
  return succeeded({ statuses, checks, complete: !pageInfo.hasNextPage });
}

export const STATUS_STATES = ["error", "expected", "failure", "pending", "success"] as const;
const CHECK_STATES = ["completed", "in_progress", "pending", "queued", "requested", "waiting"] as const;
export const ACTOR_TYPES = ["User", "Bot", "Organization", "Mannequin", "EnterpriseUserAccount"] as const;

function toStatusClaim(raw: RawStatus): StatusClaim {
  const { context, targetUrl } = raw;
  const state = STATUS_STATES.find((known) => known === raw.state.toLowerCase()) ?? "pending"; // unknown is not settled
  return { context, state, targetUrl, creator: toActor(raw.creator) };
}

function toCheckClaim(raw: RawCheck): CheckClaim {
  const { name, detailsUrl, externalId } = raw;
  const status = CHECK_STATES.find((known) => known === raw.status.toLowerCase()) ?? "unknown";
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
