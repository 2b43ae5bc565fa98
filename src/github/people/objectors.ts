import { z } from "zod";
import { readGraphql } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { createGitHubFailure, GitHubError } from "../client/result.ts";

/** The newest opinion of each person with write access: dismissing a review, or approving later, ends a request for changes. */
export const OBJECTORS_QUERY = `
query Objectors($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    databaseId
    pullRequest(number: $number) {
      latestOpinionatedReviews(first: 100, writersOnly: true) {
        pageInfo { hasNextPage }
        nodes { state author { __typename login ... on User { databaseId } } }
      }
    }
  }
}`;

const Author = z.object({ __typename: z.string(), login: z.string(), databaseId: z.int().nullish() });
const RawObjectors = z.object({
  repository: z
    .object({
      databaseId: z.int().positive(),
      pullRequest: z
        .object({
          latestOpinionatedReviews: z
            .object({
              pageInfo: z.object({ hasNextPage: z.boolean() }),
              nodes: z.array(z.object({ state: z.string(), author: Author.nullable() }).nullable()),
            })
            .nullable(),
        })
        .nullable(),
    })
    .nullable(),
});

/** Somebody whose newest opinion requests changes. */
export interface Objector {
  readonly id: number;
  readonly login: string;
}

/**
 * Reads who requests changes to a pull request now: people, not Apps. Null: more people have an opinion than GitHub lists at once.
 *
 * @throws GitHubError
 */
export async function readObjectors(
  { octokit }: Pick<InstallationClient, "octokit">,
  at: {
    readonly owner: string;
    readonly name: string;
    readonly repositoryId: number;
    readonly number: number;
  },
): Promise<readonly Objector[] | null> {
  const { owner, name, number } = at;
  const { data, errors } = await readGraphql(
    octokit.graphql(OBJECTORS_QUERY, { owner, name, number }),
    RawObjectors,
  );
  const home = data.repository;
  const reviews = home?.databaseId === at.repositoryId ? home.pullRequest?.latestOpinionatedReviews : null;
  if (errors.length > 0 || !reviews)
    throw new GitHubError(createGitHubFailure("unavailable", errors[0]?.message ?? "no reviews are shown"));
  if (reviews.pageInfo.hasNextPage) return null;
  return reviews.nodes.flatMap((review) => {
    const { __typename: type, login, databaseId: id } = review?.author ?? {};
    const isObjecting = review?.state === "CHANGES_REQUESTED" && type === "User";
    return isObjecting && id != null && login !== undefined ? [{ id, login }] : [];
  });
}
