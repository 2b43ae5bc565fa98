/** The queried part of GitHub's schema about merge queues. */
export const SDL_QUEUE = `
type MergeQueue {
  entries(after: String, first: Int, last: Int): MergeQueueEntryConnection
  id: ID!
}

type MergeQueueEntryConnection {
  nodes: [MergeQueueEntry]
  pageInfo: PageInfo!
  totalCount: Int!
}

enum MergeQueueEntryState { AWAITING_CHECKS LOCKED MERGEABLE QUEUED UNMERGEABLE }

type MergeQueueEntry {
  headCommit: Commit
  id: ID!
  position: Int!
  pullRequest: PullRequest
  state: MergeQueueEntryState!
}
`;
