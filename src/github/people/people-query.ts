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
    pullRequest(number: $number) { headRefOid commits(first: 100) { ...Commits } }
  }
  nodes(ids: $ids) {
    __typename
    id
    ... on IssueComment {
      body lastEditedAt isMinimized
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

export const RawCommits = z.object({
  totalCount: z.int().nonnegative(),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  nodes: z.array(
    z.object({
      commit: z.object({
        authors: z.object({ totalCount: z.int().nonnegative(), nodes: z.array(Person) }),
        committer: Person.nullable(),
      }),
    }),
  ),
});
export type RawCommits = z.infer<typeof RawCommits>;

const Repository = z
  .object({
    databaseId: z.int().positive(),
    pullRequest: z.object({ headRefOid: z.string(), commits: RawCommits }).nullable(),
  })
  .nullable();

const Who = z.object({ __typename: z.string(), login: z.string(), databaseId: z.int().nullish() }).nullable();

const Written = z.object({
  __typename: z.string(),
  id: z.string(),
  body: z.string(),
  lastEditedAt: z.string().nullable(),
  isMinimized: z.boolean(),
  author: Who,
  repository: z.object({ databaseId: z.int() }),
  /** GitHub's schema gives the two different types, so they cannot share a name. */
  commentedOn: z.object({ number: z.int() }).nullish(),
  reviewOf: z.object({ number: z.int() }).nullish(),
  state: z.string().optional(),
  commit: z.object({ oid: z.string() }).nullish(),
});
export type RawWritten = z.infer<typeof Written>;

export const RawPeople = z.object({
  repository: Repository,
  nodes: z.array(Written.nullable()),
});
export const RawFurtherCommits = z.object({ repository: Repository });
