import { SHA } from "./deliveries.ts";

export const BASE = "a".repeat(40);
export const POLICY = "version: 1\n";

type Json = Record<string, unknown>;

/** A file in a tree as GraphQL shows it: an ordinary text unless a member says otherwise. */
export const file = (members: Json = {}, blob: Json = {}): Json => ({
  mode: 0o100644,
  type: "blob",
  object: {
    oid: "b".repeat(40),
    byteSize: POLICY.length,
    isBinary: false,
    isTruncated: false,
    text: POLICY,
    ...blob,
  },
  ...members,
});

export const commit = (oid: string, policy: Json | null = null, members: Json = {}): Json => ({
  oid,
  folder: { mode: 0o040000, type: "tree" },
  misnamed: null,
  policy,
  ...members,
});

export const claims = (nodes: Json[], endCursor: string | null = null): Json => ({
  pageInfo: { hasNextPage: endCursor !== null, endCursor },
  nodes,
});

export const status = (members: Json = {}): Json => ({
  __typename: "StatusContext",
  context: "platform/deploy",
  state: "SUCCESS",
  targetUrl: "https://app.platform.example/x",
  creator: { __typename: "Bot", login: "platform", databaseId: 41 },
  ...members,
});

export const check = (members: Json = {}): Json => ({
  __typename: "CheckRun",
  id: "CR_1",
  databaseId: 34_000_000_001,
  name: "tollgate: main",
  status: "COMPLETED",
  conclusion: "SUCCESS",
  detailsUrl: null,
  externalId: "digest",
  checkSuite: { app: { databaseId: 4711, slug: "tollgate" } },
  ...members,
});

export interface HeadParts {
  readonly pull?: Json;
  readonly home?: Json;
  readonly contexts?: Json | null;
  readonly base?: Json | null;
  readonly head?: Json;
  readonly organisation?: Json | null;
}

export const organisation = (policy: Json | null, members: Json = {}): Json => ({
  name: ".github",
  owner: { login: "acme", databaseId: 9 },
  defaultBranchRef: { name: "main", target: { oid: "c".repeat(40), policy } },
  ...members,
});

/** The data of a head's answer: an open pull request of one changed file, with a policy on the base branch. */
export function headData(parts: HeadParts = {}): Json {
  const { contexts = null, base = commit(BASE, file()), organisation: own = organisation(null) } = parts;
  const rollup = { statusCheckRollup: contexts === null ? null : { contexts } };
  const pullRequest = {
    number: 12,
    title: "More servers",
    state: "OPEN",
    isDraft: false,
    changedFiles: 1,
    author: { __typename: "User", login: "ada", databaseId: 3 },
    labels: { nodes: [] },
    headRefOid: SHA,
    baseRefName: "main",
    baseRef: base === null ? null : { target: base, associatedPullRequests: { totalCount: 0 } },
    potentialMergeCommit: { oid: "d".repeat(40) },
    files: { pageInfo: { hasNextPage: false }, nodes: [{ path: "infra/main.tf", changeType: "MODIFIED" }] },
    commits: { totalCount: 1, nodes: [{ commit: { ...commit(SHA, file(), parts.head), ...rollup } }] },
    ...parts.pull,
  };
  return {
    repository: {
      id: "R_77",
      databaseId: 77,
      name: "shop",
      visibility: "PRIVATE",
      updatedAt: "2026-01-01T00:00:00Z",
      owner: { __typename: "Organization", login: "acme", databaseId: 9 },
      defaultBranchRef: base === null ? null : { name: "main", target: base },
      pullRequest,
      ...parts.home,
    },
    organisation: own,
  };
}
