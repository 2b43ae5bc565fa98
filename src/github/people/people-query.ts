import { z } from "zod";

const WHO = `
fragment Who on Actor {
  __typename
  login
  ... on User { databaseId }
}`;

const COMMITS = `
fragment Commits on PullRequestCommitConnection {
  totalCount
  pageInfo { hasNextPage endCursor }
  nodes {
    commit {
      oid
      committedViaWeb
      signature { isValid wasSignedByGitHub }
      parents(first: 3) { nodes { oid } }
      authors(first: 20) { totalCount nodes { user { databaseId } } }
      committer { user { databaseId } }
    }
  }
}`;

/** Who worked on a pull request, and what some comments and reviews say now. */
export const PEOPLE_QUERY = `
query People($owner: String!, $name: String!, $number: Int!, $ids: [ID!]!) {
  repository(owner: $owner, name: $name) {
    databaseId
    pullRequest(number: $number) {
      headRefOid
      headRefName
      baseRef { target { oid } }
      headRepository { databaseId }
      commits(first: 100) { ...Commits }
      reviews(last: 100, states: [CHANGES_REQUESTED]) { nodes { submittedAt author { ...Who } } }
      comments(last: 50) {
        nodes { id databaseId body createdAt lastEditedAt isMinimized author { ...Who } }
      }
    }
  }
  nodes(ids: $ids) {
    __typename
    id
    ... on IssueComment {
      body createdAt lastEditedAt isMinimized
      author { ...Who }
      repository { databaseId }
      commentedOn: pullRequest { number }
    }
    ... on PullRequestReview {
      body lastEditedAt isMinimized state submittedAt
      author { ...Who }
      commit { oid }
      repository { databaseId }
      reviewOf: pullRequest { number }
    }
  }
}${WHO}${COMMITS}`;

/** Commits beyond the first hundred. */
export const COMMITS_QUERY = `
query Commits($owner: String!, $name: String!, $number: Int!, $after: String!) {
  repository(owner: $owner, name: $name) {
    databaseId
    pullRequest(number: $number) { headRefOid commits(first: 100, after: $after) { ...Commits } }
  }
}${COMMITS}`;

const User = z.object({ databaseId: z.int().nullable() }).nullable();
const Person = z.object({ user: User });

const RawCommit = z.object({
  oid: z.string(),
  /** Whether GitHub is named as its committer, which its signature alone proves. */
  committedViaWeb: z.boolean(),
  signature: z.object({ isValid: z.boolean(), wasSignedByGitHub: z.boolean() }).nullable(),
  parents: z.object({ nodes: z.array(z.object({ oid: z.string() })) }),
  authors: z.object({ totalCount: z.int().nonnegative(), nodes: z.array(Person) }),
  committer: Person.nullable(),
});
export type RawCommit = z.infer<typeof RawCommit>;

export const RawCommits = z.object({
  totalCount: z.int().nonnegative(),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  nodes: z.array(z.object({ commit: RawCommit })),
});
export type RawCommits = z.infer<typeof RawCommits>;

const Who = z.object({ __typename: z.string(), login: z.string(), databaseId: z.int().nullish() }).nullable();
export type RawWho = z.infer<typeof Who>;

const Comment = z.object({
  id: z.string(),
  databaseId: z.int().nullable(),
  body: z.string(),
  createdAt: z.string(),
  lastEditedAt: z.string().nullable(),
  isMinimized: z.boolean(),
  author: Who,
});
export type RawComment = z.infer<typeof Comment>;

const PullCommits = z.object({ headRefOid: z.string(), commits: RawCommits });
const Pull = PullCommits.extend({
  headRefName: z.string(),
  baseRef: z.object({ target: z.object({ oid: z.string() }).nullable() }).nullable(),
  /** Null: the fork was deleted, or is not to be seen. */
  headRepository: z.object({ databaseId: z.int() }).nullable(),
  reviews: z
    .object({ nodes: z.array(z.object({ submittedAt: z.string().nullable(), author: Who }).nullable()) })
    .nullable(),
  comments: z.object({ nodes: z.array(Comment.nullable()) }),
});
export type RawPull = z.infer<typeof Pull>;

const createRepositorySchema = <T extends typeof PullCommits>(pull: T) =>
  z.object({ databaseId: z.int().positive(), pullRequest: pull.nullable() }).nullable();

const Written = Comment.omit({ databaseId: true, createdAt: true }).extend({
  __typename: z.string(),
  /** When it was said: of a comment, else of a review. */
  createdAt: z.string().optional(),
  submittedAt: z.string().nullish(),
  repository: z.object({ databaseId: z.int() }),
  /** GitHub's schema gives the two different types, so they cannot share a name. */
  commentedOn: z.object({ number: z.int() }).nullish(),
  reviewOf: z.object({ number: z.int() }).nullish(),
  state: z.string().optional(),
  commit: z.object({ oid: z.string() }).nullish(),
});
export type RawPersonText = z.infer<typeof Written>;

export const RawPeople = z.object({
  repository: createRepositorySchema(Pull),
  nodes: z.array(Written.nullable()),
});
export const RawFurtherCommits = z.object({ repository: createRepositorySchema(PullCommits) });
