import { z } from "zod";
import { readGraphql } from "../client/graphql.ts";
import type { InstallationClient } from "../client/installation-client.ts";
import { toResult } from "../client/read-answer.ts";
import { ORGANISATION_FILE, ORGANISATION_REPOSITORY, REPOSITORY_FILE } from "./head-query.ts";
import type { RepositoryState } from "./head-state.ts";

/** Newest commit of a branch that touched a path, beside the branch's tip. */
export const REMOVAL_QUERY = `
query Removal($owner: String!, $name: String!, $ref: String!, $path: String!, $default: Boolean!) {
  repository(owner: $owner, name: $name, followRenames: false) {
    databaseId
    owner { login ... on User { databaseId } ... on Organization { databaseId } }
    ref(qualifiedName: $ref) @skip(if: $default) { target { ...Tip } }
    defaultBranchRef @include(if: $default) { target { ...Tip } }
  }
}
fragment Tip on Commit {
  file(path: $path) { mode }
  history(path: $path, first: 1) {
    nodes { file(path: $path) { mode } parents(first: 10) { nodes { file(path: $path) { mode } } } }
  }
}`;

const File = z.object({ mode: z.int() }).nullable();
const Branch = z
  .object({
    target: z
      .object({
        file: File,
        history: z.object({
          nodes: z.array(
            z.object({ file: File, parents: z.object({ nodes: z.array(z.object({ file: File })) }) }),
          ),
        }),
      })
      .nullable(),
  })
  .nullish();
const Answer = z.object({
  repository: z
    .object({
      databaseId: z.int(),
      owner: z.object({ databaseId: z.int() }),
      ref: Branch,
      defaultBranchRef: Branch,
    })
    .nullable(),
});

export interface RemovalQuestion {
  readonly repository: Pick<RepositoryState, "id" | "owner" | "ownerId" | "name">;
  readonly baseRef: string;
  readonly level: "repository" | "organisation";
}

/**
 * Whether GitHub proves that a policy file was removed: it is not at the branch's tip, and the newest commit of the branch that
 * touched it has it in a parent and not in itself. False without proof: a missing answer proves nothing.
 */
export async function isPolicyFileRemoved(
  client: InstallationClient,
  question: RemovalQuestion,
): Promise<boolean> {
  const { repository, baseRef, level: which } = question;
  const isOwn = which === "repository";
  const variables = {
    owner: repository.owner,
    name: isOwn ? repository.name : ORGANISATION_REPOSITORY,
    ref: `refs/heads/${baseRef}`,
    path: isOwn ? REPOSITORY_FILE : ORGANISATION_FILE,
    default: !isOwn,
  };
  const answer = await toResult(readGraphql(client.octokit.graphql(REMOVAL_QUERY, variables), Answer));
  if (!answer.ok || answer.value.errors.length > 0) return false;
  const home = answer.value.data.repository;
  if (home === null || !isExpectedRepository(home, question)) return false;
  return isRemoval((isOwn ? home.ref : home.defaultBranchRef)?.target ?? null);
}

type BranchRepository = NonNullable<z.infer<typeof Answer>["repository"]>;

/** A name may be given to another repository. */
const isExpectedRepository = (
  { databaseId, owner }: BranchRepository,
  { repository, level: which }: RemovalQuestion,
): boolean =>
  owner.databaseId === repository.ownerId && (which === "organisation" || databaseId === repository.id);

function isRemoval(tip: NonNullable<z.infer<typeof Branch>>["target"]): boolean {
  if (tip === null || tip.file !== null) return false;
  const [newest] = tip.history.nodes;
  return (
    newest !== undefined && newest.file === null && newest.parents.nodes.some(({ file }) => file !== null)
  );
}
