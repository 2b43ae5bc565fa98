import { z } from "zod";
import { toStorableText } from "../../kernel/storable.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { readData, readUnless, toResult } from "../client/read-answer.ts";
import { GitHubError, type GitHubResult } from "../client/result.ts";
import type { RawComment, RawPersonText, RawPull, RawWho } from "./people-query.ts";

/** A person's permission now. `denied`: less than write access. `unknown`: GitHub did not answer, so nothing is approved. */
export type RepositoryPermission = "write" | "maintain" | "admin" | "denied" | "unknown";

interface PersonQuery {
  readonly owner: string;
  readonly name: string;
  readonly person: { readonly id: number; readonly login: string };
}

const Permission = z.object({
  permission: z.string(),
  role_name: z.string().optional(),
  user: z.object({ id: z.int() }).nullable(),
});

/**
 * A person's permission now. A login may belong to another account since: the answer must be about the same id. A missing account has no
 * permission.
 *
 * @throws GitHubError while GitHub asks us to wait
 */
export async function readRights(client: InstallationClient, at: PersonQuery): Promise<RepositoryPermission> {
  const answer = await readNow(readPermission(client, { ...at, login: at.person.login }));
  if (!answer.ok) return answer.failure.kind === "not_found" ? "denied" : "unknown";
  const { permission, role_name: role, user } = answer.value;
  if (user?.id !== at.person.id) return "denied";
  if (permission === "admin") return "admin";
  if (permission !== "write") return "denied";
  return role === "maintain" ? "maintain" : "write";
}

/** What a call came to. Throws `GitHubError` only while GitHub asks us to wait. */
async function readNow<T>(read: Promise<T>): Promise<GitHubResult<T>> {
  const answer = await toResult(read);
  if (!answer.ok && answer.failure.kind === "rate_limited") throw new GitHubError(answer.failure);
  return answer;
}

/** The id of the account that has a login now, if it may write to the repository; null: it may not, or there is none. Throws `GitHubError`. */
export async function findWriter(
  client: Pick<InstallationClient, "octokit">,
  at: { readonly owner: string; readonly name: string; readonly login: string },
): Promise<number | null> {
  const answer = await readUnless(["not_found"], readPermission(client, at));
  return answer !== null && ["admin", "write"].includes(answer.permission) ? (answer.user?.id ?? null) : null;
}

const readPermission = (
  { octokit }: Pick<InstallationClient, "octokit">,
  at: { readonly owner: string; readonly name: string; readonly login: string },
) =>
  readData(
    octokit.rest.repos.getCollaboratorPermissionLevel({
      owner: at.owner,
      repo: at.name,
      username: at.login,
    }),
    Permission,
  );

const Membership = z.object({ state: z.string() });

export interface TeamMemberships {
  /** Those that the person is an active member of now, by slug. */
  readonly active: ReadonlySet<string>;
  /** Those of which GitHub does not show the members. */
  readonly unknown: ReadonlySet<string>;
}

/** Which of these teams of the owner the person is in. Throws `GitHubError` while GitHub asks us to wait. */
export async function readTeams(
  { octokit }: InstallationClient,
  at: PersonQuery & { readonly teams: readonly string[] },
): Promise<TeamMemberships> {
  const active = new Set<string>();
  const unknown = new Set<string>();
  const reads = at.teams.map(async (team_slug) => {
    const team = { org: at.owner, team_slug, username: at.person.login };
    const call = octokit.rest.teams.getMembershipForUserInOrg(team);
    const answer = await readNow(readData(call, Membership));
    if (answer.ok && answer.value.state === "active") active.add(team_slug);
    if (!answer.ok && answer.failure.kind !== "not_found") unknown.add(team_slug);
  });
  await Promise.all(reads);
  return { active, unknown };
}

/** The first of these teams that the owner does not have, as `owner/slug`; null: it has all of them, or GitHub does not say. */
export async function findMissingTeam(
  { octokit }: Pick<InstallationClient, "octokit">,
  { owner, teams }: { readonly owner: string; readonly teams: readonly string[] },
): Promise<string | null> {
  const calls = teams.map((team_slug) => toResult(octokit.rest.teams.getByName({ org: owner, team_slug })));
  const read = await Promise.all(calls);
  const at = read.findIndex((answer) => !answer.ok && answer.failure.kind === "not_found");
  return at === -1 ? null : `${owner}/${teams[at]}`;
}

/** A comment or a review as GitHub shows it now. */
export interface PersonText {
  readonly nodeId: string;
  readonly kind: "comment" | "review";
  /** Null: the account is gone, or it is no person's. */
  readonly author: { readonly id: number; readonly login: string } | null;
  /** Without characters that no database stores: NUL and unpaired surrogates. */
  readonly body: string;
  /** When it was written, ms since 1970; null: GitHub does not say. */
  readonly createdMs: number | null;
  /** Whether its text was ever changed. */
  readonly isEdited: boolean;
  readonly isMinimised: boolean;
  /** A review that approves, and has not been dismissed. */
  readonly isApproving: boolean;
  /** Its author has asked for changes since: on GitHub a person's newest opinion counts. */
  readonly isOverruled: boolean;
  /** The commit that a review is for. */
  readonly commitSha: string | null;
}

/** A comment in the conversation. */
export interface PersonComment extends PersonText {
  readonly id: number;
}

/** Null: it belongs to another pull request by now. */
export function toPersonText(
  raw: RawPersonText,
  { repositoryId, number, pull }: { repositoryId: number; number: number; pull: RawPull },
): PersonText | null {
  const place = raw.commentedOn ?? raw.reviewOf;
  if (raw.repository.databaseId !== repositoryId || place?.number !== number) return null;
  const isReview = raw.__typename === "PullRequestReview";
  const text = toText(raw, raw.createdAt ?? raw.submittedAt ?? null);
  if (!isReview) return text;
  return {
    ...text,
    kind: "review",
    isApproving: raw.state === "APPROVED",
    isOverruled: text.author !== null && hasRequestedChanges(pull, text.author.id, text.createdMs),
    commitSha: raw.commit?.oid ?? null,
  };
}

/** The newest comments, oldest first. */
export const toPersonComments = ({ comments }: RawPull): readonly PersonComment[] =>
  comments.nodes.flatMap((raw) =>
    raw === null || raw.databaseId === null ? [] : [{ ...toText(raw, raw.createdAt), id: raw.databaseId }],
  );

const toText = (
  { id, author, body, lastEditedAt, isMinimized }: Omit<RawComment, "databaseId" | "createdAt">,
  createdAt: string | null,
): PersonText => ({
  nodeId: id,
  kind: "comment",
  author: toPerson(author),
  body: toStorableText(body),
  createdMs: parseMs(createdAt),
  isEdited: lastEditedAt !== null,
  isMinimised: isMinimized,
  isApproving: false,
  isOverruled: false,
  commitSha: null,
});

function hasRequestedChanges({ reviews }: RawPull, id: number, sinceMs: number | null): boolean {
  return (reviews?.nodes ?? []).some((review) => {
    const changesRequestedMs = parseMs(review?.submittedAt ?? null);
    return (
      toPerson(review?.author ?? null)?.id === id &&
      (sinceMs === null || changesRequestedMs === null || changesRequestedMs >= sinceMs)
    );
  });
}

const toPerson = (who: RawWho): PersonText["author"] =>
  who?.__typename === "User" && typeof who.databaseId === "number"
    ? { id: who.databaseId, login: who.login }
    : null;

function parseMs(time: string | null): number | null {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}
