/** The access of a member or collaborator to a repository, in ascending order. */
export type Permission = "none" | "read" | "triage" | "write" | "maintain" | "admin";

/** A user, an organisation or an app's bot. Times everywhere in the sandbox are milliseconds since 1970-01-01 UTC. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Organization" | "Bot";
  readonly name: string | null;
}

export interface Team {
  readonly id: number;
  readonly organisationId: number;
  readonly slug: string;
  readonly name: string;
  readonly memberIds: readonly number[];
}

/** A user's membership in an organisation, with the role. */
export interface Membership {
  readonly id: number;
  readonly organisationId: number;
  readonly userId: number;
  readonly role: "admin" | "member";
}

export type Access = "read" | "write" | "admin";

/** Access by permission name of the API, e.g. "pull_requests". */
export type AppPermissions = Readonly<Record<string, Access>>;

/** A GitHub App. The keys are PEM texts; the sandbox stores the private key to pass it to the bot under test. */
export interface App {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly ownerId: number;
  /** The account that writes comments for the App: `<slug>[bot]`. */
  readonly botId: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where GitHub may send people after they authorized the App. */
  readonly callbackUrls: readonly string[];
  readonly privateKey: string;
  readonly publicKey: string;
  readonly webhookSecret: string;
  /** The webhook URL; null: no deliveries, as for an App without an active webhook. */
  readonly webhookUrl: string | null;
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
}

export interface Installation {
  readonly id: number;
  readonly appId: number;
  readonly ownerId: number;
  /** "all" covers every repository of the owner, also those created later. */
  readonly repositories: "all" | readonly number[];
  readonly permissions: AppPermissions;
  readonly events: readonly string[];
  readonly suspendedAt: number | null;
}

/** An installation access token, valid for one hour by the sandbox's clock. */
export interface AccessToken {
  readonly token: string;
  readonly installationId: number;
  readonly permissions: AppPermissions;
  /** null: every repository of the installation. */
  readonly repositoryIds: readonly number[] | null;
  readonly expiresAt: number;
}

/** A person's token for an App, and the token that renews it once. Times by the sandbox's clock. */
export interface UserToken {
  readonly token: string;
  readonly refreshToken: string;
  readonly appId: number;
  readonly userId: number;
  readonly expiresAt: number;
  readonly refreshExpiresAt: number;
}

/** What a person's authorization gave to the browser, for an App to exchange once. */
export interface AuthorizationCode {
  readonly appId: number;
  readonly userId: number;
  readonly redirectUri: string;
  /** SHA-256 of the verifier in base64url; null: the App asked without PKCE. */
  readonly challenge: string | null;
  readonly expiresAt: number;
}

export type Visibility = "public" | "private" | "internal";

export interface Repository {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly visibility: Visibility;
  readonly defaultBranch: string;
  /** Repositories of one network share their git objects, as forks do on GitHub. */
  readonly networkId: number;
  /** Commit id by branch name. */
  readonly branches: ReadonlyMap<string, string>;
  /** Direct access by user id, in addition to access by organisation membership. */
  readonly collaborators: ReadonlyMap<number, Permission>;
  readonly updatedAt: number;
}

/** A check that must pass before GitHub merges into a protected branch. */
export interface RequiredCheck {
  readonly context: string;
  /** Only this App's check counts; null accepts any source, statuses included. */
  readonly appId: number | null;
}

export interface Protection {
  readonly id: number;
  readonly repositoryId: number;
  readonly branch: string;
  readonly requiredChecks: readonly RequiredCheck[];
  /** A ruleset is not part of the branch's own protection. */
  readonly kind: "protection" | "ruleset";
  /** Whether only administrators may create the branch; rulesets tell it. */
  readonly restrictsCreation: boolean;
}

/** One move of a branch. */
export interface BranchActivity {
  readonly id: number;
  readonly repositoryId: number;
  readonly branch: string;
  readonly before: string;
  readonly after: string;
  readonly actorId: number;
}

export interface SandboxPull {
  readonly id: number;
  readonly repositoryId: number;
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly authorId: number;
  readonly state: "open" | "closed";
  readonly draft: boolean;
  readonly labels: readonly string[];
  readonly locked: boolean;
  readonly headRepositoryId: number;
  readonly headOwnerId: number;
  readonly headRef: string;
  readonly headSha: string;
  readonly baseRef: string;
  /** The base branch's tip at the last opening, push or retargeting; the branch may have moved since. */
  readonly baseSha: string;
  readonly createdAt: number;
  readonly closedAt: number | null;
  readonly mergedAt: number | null;
  readonly mergedById: number | null;
  /** People and teams whose review is requested. */
  readonly reviewerIds: readonly number[];
  readonly reviewerTeamIds: readonly number[];
  /** The merge commit; for an open pull request see `testMerge`. */
  readonly mergeCommitSha: string | null;
}

/** A push that a visitor of a pull request's page can cause. */
export interface PreparedPush {
  readonly label: string;
  readonly description: string;
  /** Pushes as the pull request's author. Resolves when what the push caused outside this GitHub is done. */
  readonly run: () => Promise<void>;
}

/** An ordered chain of pull requests of one repository; each targets the branch of the one below it. */
export interface Stack {
  readonly id: number;
  readonly repositoryId: number;
  readonly number: number;
  /** The branch that the lowest one targets. */
  readonly trunk: string;
  /** From the lowest to the highest, merged ones too. */
  readonly pulls: readonly number[];
}

export interface SandboxComment {
  readonly id: number;
  readonly repositoryId: number;
  /** Number of the pull request. */
  readonly number: number;
  readonly authorId: number;
  /** The App that wrote the comment; null: a person. */
  readonly appId: number | null;
  readonly body: string;
  readonly createdAt: number;
  /** Time of the last edit; null: never. */
  readonly editedAt: number | null;
  /** The reason for minimising it; null: visible. */
  readonly minimised: string | null;
}

export interface Review {
  readonly id: number;
  readonly repositoryId: number;
  readonly number: number;
  readonly authorId: number;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  readonly body: string;
  /** The reviewed head. */
  readonly commitSha: string;
  readonly submittedAt: number;
  readonly editedAt: number | null;
}

/** A notification of a person whom a comment mentions, directly or by a team. */
export interface Notification {
  readonly id: number;
  readonly repositoryId: number;
  readonly number: number;
  readonly commentId: number;
  readonly userId: number;
  /** `ada`, or `acme/finops` for a team. */
  readonly mention: string;
}

/** One person's or App's reaction to a comment. */
export interface Reaction {
  readonly id: number;
  readonly commentId: number;
  readonly userId: number;
  readonly content: ReactionContent;
}

export const REACTIONS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const;
export type ReactionContent = (typeof REACTIONS)[number];

/** Pull requests that the merge queue tests together: `headSha` ends a chain of merge commits, one per pull request, on `baseSha`. */
export interface MergeGroup {
  readonly id: number;
  readonly repositoryId: number;
  readonly headSha: string;
  readonly headRef: string;
  readonly baseSha: string;
  readonly baseRef: string;
  readonly numbers: readonly number[];
  /** The merge commit of each of `numbers`. */
  readonly commits: readonly string[];
  readonly destroyed: "merged" | "invalidated" | "dequeued" | null;
}

export type StatusState = "error" | "failure" | "pending" | "success";

export interface Status {
  readonly id: number;
  readonly repositoryId: number;
  readonly sha: string;
  readonly context: string;
  readonly state: StatusState;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creatorId: number;
}

export type CheckStatus = "queued" | "in_progress" | "completed";
export type CheckConclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required"
  | "stale";

export interface CheckSuite {
  readonly id: number;
  readonly repositoryId: number;
  readonly appId: number;
  readonly headSha: string;
}

export interface CheckRunAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

export interface CheckRunOutput {
  readonly title: string | null;
  readonly summary: string | null;
  readonly text: string | null;
}

/** As in GitHub's REST API. */
export interface CheckAnnotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: "notice" | "warning" | "failure";
  readonly title?: string | undefined;
  readonly message: string;
}

export interface CheckRun {
  readonly id: number;
  readonly repositoryId: number;
  readonly appId: number;
  readonly suiteId: number;
  readonly name: string;
  readonly headSha: string;
  readonly status: CheckStatus;
  readonly conclusion: CheckConclusion | null;
  readonly externalId: string | null;
  readonly detailsUrl: string | null;
  readonly startedAt: number;
  readonly output: CheckRunOutput;
  readonly annotations: readonly CheckAnnotation[];
  readonly actions: readonly CheckRunAction[];
}
