import { z } from "zod";
import type { InstallationClient } from "../../github/client/installation-client.ts";
import { requestById } from "../../github/client/request-by-id.ts";
import type { GitHubFailure } from "../../github/client/result.ts";
import { toResult } from "../../github/client/to-result.ts";
import { TollgateError } from "../../kernel/errors.ts";
import { parseSha, type Sha } from "../../kernel/ids.ts";
import type { PullEvent } from "./pull-event.ts";
import type { CiTarget } from "./read-target.ts";

const RawRepository = z.object({
  id: z.int().positive(),
  name: z.string(),
  owner: z.object({ id: z.int().positive(), login: z.string() }),
});

export interface JobRepository {
  readonly id: number;
  /** Current names. */
  readonly owner: string;
  readonly name: string;
  readonly ownerId: number;
}

/** Reads the repository of a job. Throws `github_failed`. */
export async function readRepository(
  { octokit }: InstallationClient,
  { owner, name }: Pick<CiTarget, "owner" | "name">,
): Promise<JobRepository> {
  const answer = await toResult(octokit.rest.repos.get({ owner, repo: name }), RawRepository);
  if (!answer.ok) throw createReadError(`the repository ${owner}/${name}`, answer.failure);
  const { id, name: current, owner: account } = answer.value;
  return { id, name: current, owner: account.login, ownerId: account.id };
}

const RawPull = z
  .object({
    number: z.int().positive(),
    state: z.string(),
    merge_commit_sha: z.string().nullish(),
    head: z.object({ sha: z.string() }),
    base: z.object({ ref: z.string() }),
  })
  .transform(({ number, state, merge_commit_sha: merge, head, base }) => ({
    number,
    isOpen: state === "open",
    headSha: parseSha(head.sha),
    /** GitHub's test merge of an open pull request. */
    mergeSha: parseSha(merge ?? ""),
    baseRef: base.ref,
  }));

export type ReadPull = Omit<z.infer<typeof RawPull>, "headSha"> & { readonly headSha: Sha };

/** Reads the pull request of a job, by its number or by its head. Throws `usage`, `github_failed`. */
export async function readPull(
  { octokit }: InstallationClient,
  repository_id: number,
  { number, headLabel, headSha }: PullEvent,
): Promise<ReadPull> {
  if (number !== null) {
    const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
    const call = requestById(octokit, route, { repository_id, pull_number: number });
    const answer = await toResult(call, RawPull);
    if (!answer.ok) throw createReadError(`pull request ${number}`, answer.failure);
    return requireHead(answer.value);
  }
  if (headLabel === null) throw createUnknownPullError();
  const call = requestById(octokit, "GET /repos/{owner}/{repo}/pulls", {
    repository_id,
    head: headLabel,
    state: "open",
  });
  const listed = await toResult(call, z.array(RawPull));
  if (!listed.ok) throw createReadError(`the pull requests of ${headLabel}`, listed.failure);
  const pull = listed.value.find((one) => one.headSha === headSha) ?? listed.value[0];
  if (pull === undefined) throw createUnknownPullError();
  return requireHead(pull);
}

const createUnknownPullError = (): TollgateError =>
  new TollgateError("usage", "it is not known which pull request this job is for", {
    hint: "Start the workflow on pull_request, or name the pull request with --pull-request N and --sha COMMIT.",
  });

function requireHead({ headSha, ...pull }: z.infer<typeof RawPull>): ReadPull {
  if (headSha !== null) return { ...pull, headSha };
  throw new TollgateError("github_failed", "GitHub names the head by no full commit id");
}

const createReadError = (what: string, { kind, message }: GitHubFailure): TollgateError =>
  new TollgateError("github_failed", `GitHub did not show ${what}: ${kind}, ${message}`, {
    hint: "Check --repository, and that the token may read it: `contents: read` and `pull-requests: write`.",
  });
