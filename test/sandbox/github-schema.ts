import { schema } from "@octokit/graphql-schema";
import { SENT_QUERIES } from "../github/sent-queries.ts";
import { reducedSchema } from "./reduced-schema.ts";

/** Types behind an interface that no query narrows it to: a directory, the comment that was minimised, a signature of GitHub. */
const ANSWERED = ["GitObject:Tree", "Minimizable:IssueComment", "GitSignature:GpgSignature"];

/**
 * Stacked pull requests are a preview of GitHub that the schema package does not have yet: the two fields that GitHub names, with the
 * members of its REST object. Tollgate reads the REST object, because a server without the preview would refuse a query for these.
 */
const STACKS = `
extend type PullRequest {
  stack: PullRequestStack
  stackEntry: PullRequestStackEntry
}

type PullRequestStack {
  baseRefName: String!
  databaseId: Int!
  number: Int!
  size: Int!
}

type PullRequestStackEntry {
  position: Int!
}
`;

/** The part of GitHub's schema that Tollgate's queries select, and stacks. */
export const githubSchema = (): string =>
  `${reducedSchema(schema.idl, Object.values(SENT_QUERIES), ANSWERED)}${STACKS}`;
