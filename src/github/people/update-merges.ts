import { z } from "zod";
import { type InstallationClient, requestById } from "../client/installation-client.ts";
import { readData, readUnless, toResult } from "../client/read-answer.ts";
import { type FailureKind, GitHubError } from "../client/result.ts";
import type { RawCommit } from "./people-query.ts";

/** A merge of the base branch into the head branch that may be the work of nobody. */
interface UpdateMerge {
  readonly sha: string;
  /** The head before it. */
  readonly head: string;
  /** The merged commit of the base branch. */
  readonly base: string;
}

/** Most merges of one evaluation that are compared; each takes five calls at once. Further ones count as work. */
const MAX_MERGES = 10;

/**
 * Merges that GitHub may have made by "Update branch": it signed them, they have two parents, a commit of the pull request and one that
 * is none of its, and the branch moved from the first parent to them in one push. Anybody can write GitHub's name into a commit, and
 * put commits of their own below a merge that GitHub signed on another branch.
 */
export function findUpdateMerges(
  commits: readonly RawCommit[],
  pushes: readonly Push[],
): readonly UpdateMerge[] {
  const own = new Set(commits.map(({ oid }) => oid));
  return commits.flatMap(({ oid, committedViaWeb, signature, parents }) => {
    const [head, base, ...others] = parents.nodes.map((parent) => parent.oid);
    if (!committedViaWeb || !signature?.isValid || !signature.wasSignedByGitHub) return [];
    if (head === undefined || base === undefined || others.length > 0 || !own.has(head) || own.has(base))
      return [];
    return pushes.some((push) => isPushOf(push, { sha: oid, head })) ? [{ sha: oid, head, base }] : [];
  });
}

/** Whether a push added the merge alone. */
export const isPushOf = (
  { before, after }: Push,
  { sha, head }: Pick<UpdateMerge, "sha" | "head">,
): boolean => after === sha && before === head;

/**
 * The ids of those merges that contain no work. A comparison that GitHub does not answer counts as work: of very large ones none is ever
 * answered, and nothing could be decided meanwhile. Only a rate limit is waited for.
 */
export async function selectPlainMerges(
  client: InstallationClient,
  merges: readonly UpdateMerge[],
  { repositoryId, baseTip }: { readonly repositoryId: number; readonly baseTip: string | null },
): Promise<ReadonlySet<string>> {
  if (baseTip === null) return new Set();
  const compared = await Promise.all(
    merges.slice(0, MAX_MERGES).map(async (merge) => ({
      sha: merge.sha,
      isPlain: await readIsPlain(client, merge, { repositoryId, baseTip }),
    })),
  );
  return new Set(compared.flatMap(({ sha, isPlain }) => (isPlain ? [sha] : [])));
}

/**
 * Whether a merge takes each file from one side as it is there: from the base branch exactly the files that only it changed since the
 * merge base, from the head all others. A file that both sides changed was merged by somebody or something, so it is work; the web
 * editor for conflicts makes signed merges too. Modes, links and submodules are listed like files.
 */
async function readIsPlain(
  client: InstallationClient,
  { sha, head, base }: UpdateMerge,
  { repositoryId, baseTip }: { readonly repositoryId: number; readonly baseTip: string },
): Promise<boolean> {
  const sides = [
    [base, baseTip],
    [head, sha],
    [base, sha],
    [head, base],
    [base, head],
  ] as const;
  const answers = await Promise.all(
    sides.map(([from, to]) => toResult(readComparison(client, repositoryId, `${from}...${to}`))),
  );
  const refused = answers.find((answer) => !answer.ok);
  if (refused?.ok === false && refused.failure.kind === "rate_limited")
    throw new GitHubError(refused.failure);
  const [onBase, taken, kept, ofBase, ofHead] = answers.map((answer) => (answer.ok ? answer.value : null));
  if (!onBase || !taken?.paths || !kept?.paths || !ofBase?.paths || !ofHead?.paths) return false;
  return (
    onBase.isAhead &&
    ofBase.mergeBase === ofHead.mergeBase &&
    ![...taken.paths].some((path) => kept.paths?.has(path)) &&
    isSame(taken.paths, ofBase.paths) &&
    isSame(kept.paths, ofHead.paths)
  );
}

/** What one commit changed since its merge base with another one. */
interface Comparison {
  /** Whether the other one is its ancestor. */
  readonly isAhead: boolean;
  readonly mergeBase: string;
  /** Every changed path, of a renamed file both; null: more than GitHub lists. */
  readonly paths: ReadonlySet<string> | null;
}

/** GitHub lists no more files of a comparison. */
const MAX_FILES = 300;

const RawComparison = z.object({
  behind_by: z.int(),
  merge_base_commit: z.object({ sha: z.string() }),
  files: z.array(z.object({ filename: z.string(), previous_filename: z.string().optional() })),
});

/** Whether a commit is the other one or an ancestor of it. False: GitHub knows one of them no longer. Throws `GitHubError`. */
export async function isContained(
  client: InstallationClient,
  repositoryId: number,
  { commit, head }: { readonly commit: string; readonly head: string },
): Promise<boolean> {
  const read = readComparison(client, repositoryId, `${commit}...${head}`);
  return (await readUnless(["not_found"], read))?.isAhead === true;
}

/** Compares two commits, `a...b`: what `b` has since the merge base. Throws `GitHubError`. */
async function readComparison(
  client: InstallationClient,
  repositoryId: number,
  basehead: string,
): Promise<Comparison> {
  const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/compare/{basehead}", {
    repository_id: repositoryId,
    basehead,
    per_page: 1,
  });
  const { behind_by: behind, merge_base_commit: common, files } = await readData(call, RawComparison);
  const paths = files.flatMap(({ filename, previous_filename: former }) => [filename, former ?? filename]);
  return {
    isAhead: behind === 0,
    mergeBase: common.sha,
    paths: files.length >= MAX_FILES ? null : new Set(paths),
  };
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((path) => b.has(path));

/** Who moved the branch of a pull request, from which commit to which. */
export interface Push {
  readonly userId: number;
  /** Null: not stated. */
  readonly before: string | null;
  readonly after: string;
}

/** Where the commits of a pull request were pushed to. */
interface PushedBranch {
  /** Null: the fork was deleted, or is not to be seen. */
  readonly headRepositoryId: number | null;
  /** Without `refs/heads/`. */
  readonly headRef: string;
}

const Activities = z.array(
  z.object({ before: z.string(), after: z.string(), actor: z.object({ id: z.int().positive() }).nullable() }),
);

/**
 * The hundred newest moves of the branch, also from before Tollgate was installed. Empty where GitHub does not say: an older server,
 * or a fork that may not be read. Throws `GitHubError` for what may be otherwise in a moment: nobody is let through meanwhile.
 */
export async function readPushes(
  client: InstallationClient,
  { headRepositoryId, headRef }: PushedBranch,
): Promise<readonly Push[]> {
  if (headRepositoryId === null) return [];
  const call = requestById(client.octokit, "GET /repos/{owner}/{repo}/activity", {
    repository_id: headRepositoryId,
    ref: `refs/heads/${headRef}`,
    per_page: 100,
  });
  const answer = await toResult(readData(call, Activities));
  if (!answer.ok && TRANSIENT.includes(answer.failure.kind)) throw new GitHubError(answer.failure);
  const moves = answer.ok ? answer.value : [];
  return moves.flatMap(({ before, after, actor }) =>
    actor === null ? [] : [{ userId: actor.id, before, after }],
  );
}

const TRANSIENT: readonly FailureKind[] = ["rate_limited", "unavailable", "timed_out"];
