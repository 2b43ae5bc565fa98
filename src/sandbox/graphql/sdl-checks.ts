/** Git objects, statuses and checks. */
export const SDL_CHECKS = `
interface GitObject {
  id: ID!
  oid: GitObjectID!
}

type Blob implements GitObject {
  byteSize: Int!
  id: ID!
  isBinary: Boolean
  isTruncated: Boolean!
  oid: GitObjectID!
  text: String
}

type Tree implements GitObject {
  entries: [TreeEntry!]
  id: ID!
  oid: GitObjectID!
}

type TreeEntry {
  mode: Int!
  name: String!
  object: GitObject
  oid: GitObjectID!
  type: String!
}

type Commit implements GitObject {
  author: GitActor
  authors(after: String, first: Int, last: Int): GitActorConnection!
  checkSuites(after: String, filterBy: CheckSuiteFilter, first: Int, last: Int): CheckSuiteConnection
  committedDate: DateTime!
  committer: GitActor
  file(path: String!): TreeEntry
  history(after: String, first: Int, last: Int, path: String): CommitHistoryConnection!
  id: ID!
  message: String!
  oid: GitObjectID!
  parents(after: String, first: Int, last: Int): CommitConnection!
  status: Status
  statusCheckRollup: StatusCheckRollup
  tree: Tree!
}

type CommitHistoryConnection {
  nodes: [Commit]
  pageInfo: PageInfo!
  totalCount: Int!
}

type CommitConnection {
  nodes: [Commit]
  pageInfo: PageInfo!
  totalCount: Int!
}

enum StatusState { ERROR EXPECTED FAILURE PENDING SUCCESS }

type Status {
  contexts: [StatusContext!]!
  id: ID!
  state: StatusState!
}

type StatusContext {
  context: String!
  createdAt: DateTime!
  creator: Actor
  description: String
  id: ID!
  state: StatusState!
  targetUrl: URI
}

type StatusCheckRollup {
  contexts(after: String, first: Int, last: Int): StatusCheckRollupContextConnection!
  id: ID!
  state: StatusState!
}

type StatusCheckRollupContextConnection {
  nodes: [StatusCheckRollupContext]
  pageInfo: PageInfo!
  totalCount: Int!
}

union StatusCheckRollupContext = CheckRun | StatusContext

input CheckSuiteFilter {
  appId: Int
  checkName: String
}

input CheckRunFilter {
  appId: Int
  checkName: String
}

type CheckSuiteConnection {
  nodes: [CheckSuite]
  pageInfo: PageInfo!
  totalCount: Int!
}

enum CheckStatusState { COMPLETED IN_PROGRESS PENDING QUEUED REQUESTED WAITING }

enum CheckConclusionState {
  ACTION_REQUIRED
  CANCELLED
  FAILURE
  NEUTRAL
  SKIPPED
  STALE
  STARTUP_FAILURE
  SUCCESS
  TIMED_OUT
}

type CheckSuite {
  app: App
  checkRuns(after: String, filterBy: CheckRunFilter, first: Int, last: Int): CheckRunConnection
  conclusion: CheckConclusionState
  databaseId: Int
  id: ID!
  status: CheckStatusState!
}

type CheckRunConnection {
  nodes: [CheckRun]
  pageInfo: PageInfo!
  totalCount: Int!
}

type CheckRun {
  checkSuite: CheckSuite!
  completedAt: DateTime
  conclusion: CheckConclusionState
  databaseId: Int
  detailsUrl: URI
  externalId: String
  id: ID!
  name: String!
  startedAt: DateTime
  status: CheckStatusState!
  summary: String
  text: String
  title: String
}

type App {
  databaseId: Int
  id: ID!
  name: String!
  slug: String!
}
`;
