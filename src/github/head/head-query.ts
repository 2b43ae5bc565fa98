/** A file with enough about it to tell a file from a link, a submodule and a directory. */
const FILE = `
fragment File on TreeEntry {
  mode
  type
  object { oid ... on Blob { byteSize isBinary isTruncated text } }
}`;

const ACTOR = `
fragment Who on Actor {
  __typename
  login
  ... on User { databaseId }
  ... on Bot { databaseId }
  ... on Organization { databaseId }
  ... on Mannequin { databaseId }
}`;

const CLAIMS = `
fragment Claims on StatusCheckRollupContextConnection {
  pageInfo { hasNextPage endCursor }
  nodes {
    __typename
    ... on StatusContext { context state targetUrl creator { ...Who } }
    ... on CheckRun {
      id databaseId name status conclusion detailsUrl externalId
      checkSuite { app { databaseId slug } }
    }
  }
}`;

/** The organisation's policy file lives here, on the default branch. */
export const ORGANISATION_REPOSITORY = ".github";
export const ORGANISATION_FILE = "tollgate.yml";
export const REPOSITORY_FILE = ".github/tollgate.yml";
/** Names that people give to the files, and that would be ignored in silence. */
export const MISNAMED_FILE = ".github/tollgate.yaml";
export const MISNAMED_ORGANISATION_FILE = "tollgate.yaml";

/** Where GitHub looks for code owners, in this order. */
export const CODE_OWNERS_FILES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"] as const;

const OWNERS = `
fragment Owners on Commit {
  inGithub: file(path: "${CODE_OWNERS_FILES[0]}") { ...File }
  inRoot: file(path: "${CODE_OWNERS_FILES[1]}") { ...File }
  inDocs: file(path: "${CODE_OWNERS_FILES[2]}") { ...File }
}`;

const POLICY = `
fragment Policy on Commit {
  oid
  folder: file(path: ".github") { mode type }
  policy: file(path: "${REPOSITORY_FILE}") { ...File }
  misnamed: file(path: "${MISNAMED_FILE}") { type }
}`;

const ORGANISATION = `
fragment Organisation on Repository {
  name
  owner { login ... on User { databaseId } ... on Organization { databaseId } }
  defaultBranchRef {
    name
    target {
      oid
      ... on Commit {
        policy: file(path: "${ORGANISATION_FILE}") { ...File }
        misnamed: file(path: "${MISNAMED_ORGANISATION_FILE}") { type }
        misplaced: file(path: "${REPOSITORY_FILE}") { type }
      }
    }
  }
}`;

const REPOSITORY = `
fragment Home on Repository {
  id
  databaseId
  name
  visibility
  updatedAt
  owner { __typename login ... on User { databaseId } ... on Organization { databaseId } }
}`;

/** Everything about one head in one round trip. */
export const HEAD_QUERY = `
query Head($owner: String!, $name: String!, $number: Int!, $page: Int!, $organisation: Boolean!, $claims: Boolean = true, $owners: Boolean = false) {
  repository(owner: $owner, name: $name) {
    ...Home
    defaultBranchRef { name target { ...Policy } }
    pullRequest(number: $number) {
      number title state isDraft changedFiles createdAt closedAt
      author { ...Who }
      labels(first: 100) { nodes { name } }
      headRefOid
      baseRefName
      baseRef { target { ...Policy ...Owners @include(if: $owners) } associatedPullRequests(states: [OPEN], first: 1) { totalCount } }
      potentialMergeCommit { oid }
      mergedAt
      mergedBy { ...Who }
      mergeCommit { oid }
      files(first: $page) { pageInfo { hasNextPage } nodes { path changeType } }
      commits(last: 1) {
        totalCount
        nodes {
          commit { ...Policy statusCheckRollup @include(if: $claims) { contexts(first: $page) { ...Claims } } }
        }
      }
    }
  }
  organisation: repository(owner: $owner, name: "${ORGANISATION_REPOSITORY}", followRenames: false) @include(if: $organisation) {
    ...Organisation
  }
}${FILE}${ACTOR}${CLAIMS}${POLICY}${OWNERS}${ORGANISATION}${REPOSITORY}`;

/** Statuses and checks of any commit. */
export const COMMIT_CLAIMS_QUERY = `
query CommitClaims($owner: String!, $name: String!, $sha: GitObjectID!, $page: Int!) {
  repository(owner: $owner, name: $name) {
    databaseId
    object(oid: $sha) {
      ... on Commit { statusCheckRollup { contexts(first: $page) { ...Claims } } }
    }
  }
}${ACTOR}${CLAIMS}`;

/** Statuses and checks beyond the first page. */
export const CLAIMS_QUERY = `
query Claims($owner: String!, $name: String!, $sha: GitObjectID!, $page: Int!, $after: String!) {
  repository(owner: $owner, name: $name) {
    object(oid: $sha) {
      ... on Commit { statusCheckRollup { contexts(first: $page, after: $after) { ...Claims } } }
    }
  }
}${ACTOR}${CLAIMS}`;

const MERGE = `
fragment Merge on Commit {
  oid
  parents(first: 3) { nodes { oid } }
}`;

/** A merge queue's entries up to and beyond one group, with the policy files in force. */
export const MERGE_GROUP_QUERY = `
query MergeGroup($owner: String!, $name: String!, $base: String!, $baseRef: String!, $sha: GitObjectID!, $organisation: Boolean!) {
  repository(owner: $owner, name: $name) {
    ...Home
    defaultBranchRef { name target { ...Policy } }
    ref(qualifiedName: $baseRef) { target { ...Policy } }
    group: object(oid: $sha) { ...Merge }
    mergeQueue(branch: $base) {
      entries(first: 100) {
        nodes { position headCommit { ...Merge } pullRequest { number headRefOid } }
      }
    }
  }
  organisation: repository(owner: $owner, name: "${ORGANISATION_REPOSITORY}", followRenames: false) @include(if: $organisation) {
    ...Organisation
  }
}${MERGE}${FILE}${POLICY}${ORGANISATION}${REPOSITORY}`;

export const QUEUE_COMMITS_QUERY = `
query QueueCommits($owner: String!, $name: String!, $base: String!) {
  repository(owner: $owner, name: $name) {
    databaseId
    mergeQueue(branch: $base) {
      entries(first: 100) { nodes { headCommit { oid } } }
    }
  }
}`;

/** The policy files in force on a branch; by default the default branch. */
export const BRANCH_POLICY_QUERY = `
query BranchPolicy($owner: String!, $name: String!, $organisation: Boolean!, $isNamed: Boolean = false, $ref: String = "", $owners: Boolean = false) {
  repository(owner: $owner, name: $name) {
    ...Home
    defaultBranchRef @skip(if: $isNamed) { name target { ...Policy } }
    ref(qualifiedName: $ref) @include(if: $isNamed) { name target { ...Policy ...Owners @include(if: $owners) } }
  }
  organisation: repository(owner: $owner, name: "${ORGANISATION_REPOSITORY}", followRenames: false) @include(if: $organisation) {
    databaseId
    ...Organisation
  }
}${FILE}${POLICY}${OWNERS}${ORGANISATION}${REPOSITORY}`;
