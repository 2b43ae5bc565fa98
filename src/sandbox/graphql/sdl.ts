import { SDL_CHECKS } from "./sdl-checks.ts";
import { SDL_PEOPLE } from "./sdl-people.ts";
import { SDL_QUEUE } from "./sdl-queue.ts";

/** The part of GitHub's schema that the sandbox answers. Every type, field and argument is GitHub's own. */
export const SDL = `
scalar DateTime
scalar GitObjectID
scalar URI

type Query {
  nodes(ids: [ID!]!): [Node]!
  repository(followRenames: Boolean = true, name: String!, owner: String!): Repository
}

type Mutation {
  minimizeComment(input: MinimizeCommentInput!): MinimizeCommentPayload
}

input MinimizeCommentInput {
  classifier: ReportedContentClassifiers!
  clientMutationId: String
  subjectId: ID!
}

type MinimizeCommentPayload {
  clientMutationId: String
  minimizedComment: Minimizable
}

enum ReportedContentClassifiers { ABUSE DUPLICATE OFF_TOPIC OUTDATED RESOLVED SPAM }

interface Minimizable {
  isMinimized: Boolean!
  minimizedReason: String
}

interface Actor {
  login: String!
}

interface RepositoryOwner {
  id: ID!
  login: String!
}

type User implements Actor & RepositoryOwner {
  databaseId: Int
  id: ID!
  login: String!
  name: String
}

type Bot implements Actor {
  databaseId: Int
  id: ID!
  login: String!
}

type Mannequin implements Actor {
  databaseId: Int
  id: ID!
  login: String!
}

type Organization implements Actor & RepositoryOwner {
  databaseId: Int
  id: ID!
  login: String!
  name: String
}

enum RepositoryVisibility { INTERNAL PRIVATE PUBLIC }

type Repository {
  databaseId: Int
  defaultBranchRef: Ref
  id: ID!
  isPrivate: Boolean!
  mergeQueue(branch: String): MergeQueue
  name: String!
  nameWithOwner: String!
  object(expression: String, oid: GitObjectID): GitObject
  owner: RepositoryOwner!
  pullRequest(number: Int!): PullRequest
  ref(qualifiedName: String!): Ref
  url: URI!
  visibility: RepositoryVisibility!
}

type Ref {
  id: ID!
  name: String!
  prefix: String!
  target: GitObject
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
}

enum PullRequestState { CLOSED MERGED OPEN }
enum MergeableState { CONFLICTING MERGEABLE UNKNOWN }
enum PatchStatus { ADDED CHANGED COPIED DELETED MODIFIED RENAMED }

type PullRequest {
  author: Actor
  baseRef: Ref
  baseRefName: String!
  baseRefOid: GitObjectID!
  body: String!
  changedFiles: Int!
  comments(after: String, first: Int, last: Int): IssueCommentConnection!
  commits(after: String, first: Int, last: Int): PullRequestCommitConnection!
  createdAt: DateTime!
  databaseId: Int
  files(after: String, first: Int, last: Int): PullRequestChangedFileConnection
  headRef: Ref
  headRefName: String!
  headRefOid: GitObjectID!
  headRepository: Repository
  id: ID!
  isCrossRepository: Boolean!
  isDraft: Boolean!
  labels(after: String, first: Int, last: Int): LabelConnection
  locked: Boolean!
  mergeable: MergeableState!
  mergeCommit: Commit
  merged: Boolean!
  mergedAt: DateTime
  number: Int!
  potentialMergeCommit: Commit
  reviews(after: String, first: Int, last: Int, states: [PullRequestReviewState!]): PullRequestReviewConnection
  state: PullRequestState!
  title: String!
  updatedAt: DateTime!
  url: URI!
}

type LabelConnection {
  nodes: [Label]
  pageInfo: PageInfo!
  totalCount: Int!
}

type Label {
  name: String!
}

type IssueCommentConnection {
  nodes: [IssueComment]
  pageInfo: PageInfo!
  totalCount: Int!
}

type IssueComment implements Minimizable & Node {
  author: Actor
  body: String!
  createdAt: DateTime!
  databaseId: Int
  id: ID!
  isMinimized: Boolean!
  lastEditedAt: DateTime
  minimizedReason: String
  pullRequest: PullRequest
  repository: Repository!
  updatedAt: DateTime!
}

type PullRequestChangedFileConnection {
  nodes: [PullRequestChangedFile]
  pageInfo: PageInfo!
  totalCount: Int!
}

type PullRequestChangedFile {
  additions: Int!
  changeType: PatchStatus!
  deletions: Int!
  path: String!
}

type PullRequestCommitConnection {
  nodes: [PullRequestCommit]
  pageInfo: PageInfo!
  totalCount: Int!
}

type PullRequestCommit {
  commit: Commit!
}
${SDL_QUEUE}${SDL_PEOPLE}${SDL_CHECKS}`;
