/** People behind commits, comments and reviews. */
export const SDL_PEOPLE = `
interface Node {
  id: ID!
}

type GitActor {
  email: String
  name: String
  user: User
}

type GitActorConnection {
  nodes: [GitActor]
  pageInfo: PageInfo!
  totalCount: Int!
}

enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }

type PullRequestReviewConnection {
  nodes: [PullRequestReview]
  pageInfo: PageInfo!
  totalCount: Int!
}

type PullRequestReview implements Minimizable & Node {
  author: Actor
  body: String!
  commit: Commit
  databaseId: Int
  id: ID!
  isMinimized: Boolean!
  lastEditedAt: DateTime
  minimizedReason: String
  pullRequest: PullRequest!
  repository: Repository!
  state: PullRequestReviewState!
  submittedAt: DateTime
}
`;
