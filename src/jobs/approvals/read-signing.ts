import type { HeadState } from "../../github/head/head-state.ts";
import { type People, readPeople } from "../../github/people/read-people.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { Approval, Lapse } from "../../policy/approvals/approval.ts";
import { type Asked, pushersOf, waitingAsked } from "../../store/approvals/commands.ts";
import { lapsedApprovals } from "../../store/approvals/lapsed.ts";
import { approvalsInForce, type StoredApproval } from "../../store/approvals/signatures.ts";
import type { PullRun } from "../lane/pull-run.ts";

/** What a run knows of signatures before it judges. */
export interface Signing {
  /** In force so far; each is held against what GitHub shows of it now. */
  readonly stored: readonly StoredApproval[];
  readonly asked: readonly Asked[];
  readonly lapsed: readonly { readonly approval: Approval; readonly why: Lapse }[];
  /** By global id, as it is on GitHub now. */
  readonly written: People["written"];
  /** See `Standing.contributors`. */
  readonly contributors: ReadonlySet<number> | null;
}

/** Signatures looked at in one run; more than a pull request ever has. */
const MOST = 60;

/**
 * Reads what signatures and questions there are, and, only where there are any, who worked on the pull request and what the
 * comments say now.
 */
export async function readSigning(run: PullRun, head: HeadState): Promise<Signing> {
  const { deps, key } = run;
  const [all, asked, lapsed, pushers] = await Promise.all([
    approvalsInForce(deps.db, key),
    waitingAsked(deps.db, key),
    lapsedApprovals(deps.db, key),
    pushersOf(deps.db, key),
  ]);
  const stored = all.slice(0, MOST);
  if (stored.length + asked.length === 0)
    return { stored, asked, lapsed, written: new Map(), contributors: null };
  const { owner, name } = head.repository;
  const nodeIds = [...stored, ...asked].map(({ nodeId }) => nodeId);
  const people = await readPeople(run.client, { owner, name, ...key, headSha: head.pull.headSha, nodeIds });
  if (!people.ok)
    throw new TollgateError(
      "github_failed",
      `GitHub could not say who signs: ${people.failure.kind}, ${people.failure.message}`,
      {
        retryable: true,
      },
    );
  const { written, contributors } = people.value;
  const author = head.pull.author?.id ?? null;
  const everyone =
    contributors === null ? null : [...contributors, ...pushers, ...(author === null ? [] : [author])];
  return { stored, asked, lapsed, written, contributors: everyone === null ? null : new Set(everyone) };
}
