import { z } from "zod";
import { toStorableText } from "../../kernel/storable.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";
import type { RawPersonText, RawPull, RawWho } from "./people-query.ts";

/** Whether a person may approve in a repository now. */
export type RepositoryPermission =
  | { readonly state: "known"; readonly permission: "write" | "maintain" | "admin" }
  /** Less than write access. */
  | { readonly state: "denied" }
  /** GitHub did not answer, so nothing is approved. */
  | { readonly state: "unknown" }
  /** GitHub asks us to wait: nothing was decided. */
  | { readonly state: "later" };

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

/** A person's permission now. A login may belong to another account since: the answer must be about the same id. */
export async function readRights(client: InstallationClient, at: PersonQuery): Promise<RepositoryPermission> {
  const answer = await readPermission(client, { ...at, login: at.person.login });
  if (!answer.ok) return { state: FAILURE_STATES[answer.failure.kind] ?? "unknown" };
  const { permission, role_name: role, user } = answer.value;
  if (user?.id !== at.person.id) return { state: "denied" };
  if (permission === "admin") return { state: "known", permission: "admin" };
  if (permission !== "write") return { state: "denied" };
  return { state: "known", permission: role === "maintain" ? "maintain" : "write" };
}

/** The id of the account that has a login now, if it may write to the repository; null: it may not, or there is none. */
export async function findWriter(
  client: Pick<InstallationClient, "octokit">,
  at: { readonly owner: string; readonly name: string; readonly login: string },
): Promise<GitHubResult<number | null>> {
  const answer = await readPermission(client, at);
  if (!answer.ok) return answer.failure.kind === "not_found" ? succeeded(null) : answer;
  const { permission, user } = answer.value;
  return succeeded(["admin", "write"].includes(permission) ? (user?.id ?? null) : null);
}

const readPermission = (
  { octokit }: Pick<InstallationClient, "octokit">,
  at: { readonly owner: string; readonly name: string; readonly login: string },
) =>
  toResult(
    octokit.rest.repos.getCollaboratorPermissionLevel({
      owner: at.owner,
      repo: at.name,
      username: at.login,
    }),
    Permission,
  );

/** A missing account has no permission. */
const FAILURE_STATES: Readonly<Record<string, "later" | "denied">> = {
  rate_limited: "later",
  not_found: "denied",
};

const Membership = z.object({ state: z.string() });

export interface TeamMemberships {
  /** Those that the person is an active member of now, by slug. */
  readonly active: ReadonlySet<string>;
  /** Those of which GitHub does not show the members. */
  readonly unknown: ReadonlySet<string>;
}

/** Which of these teams of the owner the person is in. Null: GitHub asks us to wait. */
export async function readTeams(
  client: InstallationClient,
  at: PersonQuery & { readonly teams: readonly string[] },
): Promise<TeamMemberships | null> {
  const answers = await Promise.all(
    at.teams.map(async (slug) => [slug, await readMembership(client, at, slug)] as const),
  );
  const teamsThat = (is: MembershipAnswer) =>
    new Set(answers.flatMap(([slug, state]) => (state === is ? [slug] : [])));
  return teamsThat("later").size > 0 ? null : { active: teamsThat("yes"), unknown: teamsThat("unknown") };
}

type MembershipAnswer = "yes" | "no" | "unknown" | "later";

async function readMembership(
  client: InstallationClient,
  at: PersonQuery,
  slug: string,
): Promise<MembershipAnswer> {
  const call = client.octokit.rest.teams.getMembershipForUserInOrg({
    org: at.owner,
    team_slug: slug,
    username: at.person.login,
  });
  const answer = await toResult(call, Membership);
  if (answer.ok) return answer.value.state === "active" ? "yes" : "no";
  const { kind } = answer.failure;
  if (kind === "rate_limited") return "later";
  return kind === "not_found" ? "no" : "unknown";
}

/** The first of these teams that the owner does not have, as `owner/slug`; null: it has all of them, or GitHub does not say. */
export async function findMissingTeam(
  { octokit }: Pick<InstallationClient, "octokit">,
  { owner, teams }: { readonly owner: string; readonly teams: readonly string[] },
): Promise<string | null> {
  const calls = teams.map((team_slug) =>
    toResult(octokit.rest.teams.getByName({ org: owner, team_slug }), z.unknown()),
  );
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
  const { repository } = raw;
  const place = raw.commentedOn ?? raw.reviewOf;
  if (repository.databaseId !== repositoryId || place?.number !== number) return null;
  const author = toPerson(raw.author);
  const createdMs = parseMs(raw.createdAt ?? raw.submittedAt ?? null);
  return {
    nodeId: raw.id,
    kind: raw.__typename === "PullRequestReview" ? "review" : "comment",
    author,
    body: toStorableText(raw.body),
    createdMs,
    isEdited: raw.lastEditedAt !== null,
    isMinimised: raw.isMinimized,
    isApproving: raw.state === "APPROVED",
    isOverruled: author !== null && hasRequestedChanges(pull, { id: author.id, sinceMs: createdMs }),
    commitSha: raw.commit?.oid ?? null,
  };
}

/** The newest comments, oldest first. */
export const toPersonComment = ({ comments }: RawPull): readonly PersonComment[] =>
  comments.nodes.flatMap((raw) => {
    if (raw === null || raw.databaseId === null) return [];
    return {
      id: raw.databaseId,
      nodeId: raw.id,
      kind: "comment" as const,
      author: toPerson(raw.author),
      body: toStorableText(raw.body),
      createdMs: parseMs(raw.createdAt),
      isEdited: raw.lastEditedAt !== null,
      isMinimised: raw.isMinimized,
      isApproving: false,
      isOverruled: false,
      commitSha: null,
    };
  });

function hasRequestedChanges(
  { reviews }: RawPull,
  { id, sinceMs }: { readonly id: number; readonly sinceMs: number | null },
): boolean {
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
