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
  "the costs of a merge group's pull requests are not summed": {
    deps: (deps) => ({
      ...deps,
      policies: {
        ...deps.policies,
        inForce: (async (task) =>
          task.kind === "group"
            ? { kind: "single" }
            : deps.policies.inForce(task)) as typeof deps.policies.inForce, // of the same kinds
      },
    }),
  },
};
