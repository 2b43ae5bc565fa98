import { decimal } from "../../src/kernel/money.ts";
import type { GroupSum } from "../../src/policy/evaluate-sum.ts";
import type { TASKS } from "../../src/policy/task.ts";
import type { Mutant } from "./bot.ts";
import { dropping, misreading, without } from "./mutant-parts.ts";

/** A merge group is taken to hold the heads that its pull requests had when they were last evaluated. */
const mergingStaleHeads: NonNullable<Mutant["github"]> = (send) => {
  const heads = new Map<number, string>();
  const head = misreading("query Head", (body) => {
    const pull = JSON.parse(body).data?.repository?.pullRequest;
    if (pull) heads.set(pull.number, pull.headRefOid);
    return body;
  });
  const group = misreading("query MergeGroup", (body) => {
    const answer = JSON.parse(body);
    for (const { pullRequest: queued } of answer.data.repository.mergeQueue?.entries.nodes ?? [])
      queued.headRefOid = heads.get(queued.number) ?? queued.headRefOid;
    answer.data.repository.group.parents.nodes = [];
    return JSON.stringify(answer);
  });
  return group.github?.(head.github?.(send) ?? send) ?? send;
};

type GroupInput = Parameters<typeof TASKS.group.perform>[0];

/** Merge groups are evaluated on something else, or their evaluation has another result. */
function groupTask(
  change: (input: GroupInput) => GroupInput,
  read: (sum: GroupSum) => GroupSum = (sum) => sum,
): Mutant {
  return {
    deps: (deps) => {
      const { inForce } = deps.policies;
      const perform = (async (task) =>
        task.kind === "group"
          ? read(await inForce({ ...task, kind: "group", input: change(task.input as GroupInput) }))
          : inForce(task)) as typeof inForce; // of the same kinds
      return { ...deps, policies: { ...deps.policies, inForce: perform } };
    },
  };
}

/** Faults in the evaluation of merge groups. */
export const MERGE_QUEUE_MUTANTS: Readonly<Record<string, Mutant>> = {
  "deliveries of merge groups are dropped": dropping(({ kind }) => kind === "merge_group"),
  "a merge group passes on a stale head": { github: mergingStaleHeads },
  "only the last pull request of a merge group is evaluated": misreading("query MergeGroup", (body) => {
    const answer = JSON.parse(body);
    const entries = answer.data?.repository?.mergeQueue?.entries;
    if (entries !== undefined) entries.nodes = entries.nodes.slice(-1);
    return JSON.stringify(answer);
  }),
  "a merge group passes under the name of an earlier policy": {
    statement: without('"name" != $3'),
  },
  "the costs of a merge group's pull requests are not summed": groupTask(
    (input) => input,
    () => ({ kind: "single" }),
  ),
  "plans of one workspace that change one resource have a sum": groupTask(
    (input) => input,
    (sum) => (sum.kind === "overlap" ? { kind: "single" } : sum),
  ),
  "a plan of a merge group is not compared with what was merged since": groupTask((input) => ({
    ...input,
    merged: [],
  })),
  "what executions of a merge group's commit say does not count": groupTask((input) => ({
    ...input,
    planned: null,
  })),
  "an approval covers whatever a merge group is planned to cost": groupTask((input) => ({
    ...input,
    entries: input.entries.map((entry) => ({
      ...entry,
      approvals: entry.approvals.map((one) => ({
        ...one,
        upTo: one.upTo && { ...one.upTo, amount: decimal("1000000") },
      })),
    })),
  })),
  "executions of a merge group's commit are not found": {
    ...misreading("query CommitClaims", (body) => {
      const answer = JSON.parse(body);
      if (answer.data?.repository?.object) answer.data.repository.object.statusCheckRollup = null;
      return JSON.stringify(answer);
    }),
    statement: without('insert into "bindings"'),
  },
};
