import type { HeadState } from "../../github/head/head-state.ts";
import { type People, type PeopleRequest, readPeople } from "../../github/people/read-people.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { Approval, Lapse } from "../../policy/model/approval.ts";
import {
  listApprovalsInForce,
  listLapsedApprovals,
  type StoredApproval,
} from "../../store/approvals/approvals.ts";
import { listPendingCommands, listPushes, type PendingCommand } from "../../store/approvals/commands.ts";
import { listOverridesInForce, type StoredOverride } from "../../store/approvals/overrides.ts";
import { findPull } from "../../store/pulls.ts";
import type { CurrentHead, PullRun } from "../run/pull-run.ts";
import { recoverRevocations } from "./recover-revocations.ts";

/** The approvals and commands of a pull request before a decision. */
export interface ApprovalState {
  /** The approvals in force so far; each is compared with its comment or review on GitHub. */
  readonly stored: readonly StoredApproval[];
  /** The overrides in force so far; each is compared with its comment on GitHub. */
  readonly storedOverrides: readonly StoredOverride[];
  readonly commands: readonly PendingCommand[];
  /** Whether more commands wait than one evaluation reads. */
  readonly hasMore: boolean;
  readonly lapsed: readonly { readonly approval: Approval; readonly why: Lapse }[];
  /** Comments and reviews by global id, as they are on GitHub now. */
  readonly texts: People["texts"];
  /** The newest comments, oldest first. */
  readonly comments: People["comments"];
  /** See `ApprovalGround.contributors`. */
  readonly contributors: ReadonlySet<number> | null;
}

/** Most approvals that one evaluation checks: no pull request has this many. With the commands and overrides they fit one request. */
const MAX_APPROVALS = 55;
/** Most overrides that one evaluation checks: while one is in force, no other is given. */
const MAX_OVERRIDES = 5;

/**
 * Reads the approvals and waiting commands and, only if there are any, who worked on the pull request and the current text of the
 * comments. Where contributors were unknown before, they are read again: nobody is asked for an approval that cannot be given.
 */
export async function readApprovalState({ run, head, before }: CurrentHead): Promise<ApprovalState> {
  const { deps, key } = run;
  const [all, overrides, pending, lapsed, pushes] = await Promise.all([
    listApprovalsInForce(deps.db, key),
    listOverridesInForce(deps.db, key),
    listPendingCommands(deps.db, key),
    listLapsedApprovals(deps.db, key),
    listPushes(deps.db, key),
  ]);
  const stored = all.slice(0, MAX_APPROVALS);
  const storedOverrides = overrides.slice(0, MAX_OVERRIDES);
  const { commands, hasMore } = pending;
  const { commitsComplete } = head.pull;
  const wereUnknown = before?.evaluation.approvals.offer?.why === "contributors_unknown";
  if (stored.length + storedOverrides.length + commands.length === 0 && !(wereUnknown && commitsComplete))
    return {
      stored,
      storedOverrides,
      commands,
      hasMore,
      lapsed,
      texts: new Map(),
      comments: [],
      contributors: commitsComplete ? new Set() : null,
    };
  const acts = [...stored, ...storedOverrides, ...commands];
  const own = { number: key.number, headSha: head.pull.headSha };
  const nodeIds = acts.map(({ nodeId }) => nodeId);
  const people = await readPeopleNow(run, head, { ...own, nodeIds, pushes });
  const missed = await recoverRevocations(run, { acts: listActs(stored, storedOverrides), ...people });
  const texts = new Map([...people.texts, ...missed.texts]);
  const below = await readPeopleBelow(run, head);
  const known = [people.contributors, ...below, toSet(head.pull.author?.id)];
  return {
    stored,
    storedOverrides,
    commands: sortCommands([...commands, ...missed.commands], texts),
    comments: people.comments,
    hasMore,
    lapsed,
    texts,
    contributors: known.includes(null) ? null : new Set(known.flatMap((ids) => [...(ids ?? [])])),
  };
}

const toSet = (id: number | null | undefined): ReadonlySet<number> =>
  new Set(id === null || id === undefined ? [] : [id]);

/** Those who worked on the pull requests below it in its stack, which are merged with it; null: unknown. */
async function readPeopleBelow(run: PullRun, head: HeadState): Promise<(ReadonlySet<number> | null)[]> {
  const { db } = run.deps;
  const everyone: (ReadonlySet<number> | null)[] = [];
  for (const { number, headSha } of head.pull.stack?.below ?? []) {
    const key = { repositoryId: run.key.repositoryId, number };
    const about = { number, headSha, nodeIds: [], pushes: await listPushes(db, key) };
    const { contributors } = await readPeopleNow(run, head, about);
    everyone.push(contributors, toSet((await findPull(db, key))?.author_id));
  }
  return everyone;
}

/** The people whose approvals and overrides are in force, and where they wrote them. */
const listActs = (approvals: readonly StoredApproval[], overrides: readonly StoredOverride[]) => [
  ...approvals.map(({ nodeId, approval }) => ({ nodeId, personId: approval.approver.id })),
  ...overrides.map(({ nodeId, override }) => ({ nodeId, personId: override.person.id })),
];

/** Sorts commands by the time at which they were written, because deliveries arrive in any order. */
const sortCommands = (
  commands: readonly PendingCommand[],
  texts: People["texts"],
): readonly PendingCommand[] =>
  commands.toSorted((a, b) => {
    const [first, second] = [a, b].map(({ nodeId }) => texts.get(nodeId)?.createdMs ?? 0);
    return (first ?? 0) - (second ?? 0) || (a.source === b.source ? a.sourceId - b.sourceId : 0);
  });

async function readPeopleNow(
  run: PullRun,
  head: HeadState,
  about: Omit<PeopleRequest, "owner" | "name" | "repositoryId">,
): Promise<People> {
  const { owner, name } = head.repository;
  const people = await readPeople(run.client, {
    owner,
    name,
    repositoryId: run.key.repositoryId,
    ...about,
  });
  if (people.ok) return people.value;
  const { kind, message } = people.failure;
  throw new TollgateError("github_failed", `GitHub could not be asked about approvers: ${kind}, ${message}`, {
    retryable: true,
  });
}
