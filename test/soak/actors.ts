import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { Ci } from "../world/ci.ts";
import { REPOSITORY } from "../world/places.ts";
import type { Model, ModelledPull, Outcome } from "./model.ts";
import type { Choices } from "./seeded-random.ts";

const COSTS: Readonly<Record<Outcome, { before: string; after: string; change: string }>> = {
  cheap: { before: "100", after: "110", change: "10" },
  expensive: { before: "100", after: "900", change: "800" },
};

/** Open pull requests at the same time, and pauses between two actions, in ms. */
const MOST_OPEN = 12;
const PAUSE_MS = 400;
/** Actions per call of `mayAct`. */
const ACTIONS = 12;
/** Between two tries of a CI job whose Tollgate is away, in ms. */
const RETRY_MS = 500;

export interface Actors {
  /** Permits some more actions: a slow machine kills seldom, and would be buried in work meanwhile. */
  mayAct(): void;
  /** Authors and reviewers do nothing more. */
  rest(): Promise<void>;
  /** Resolves when every CI job has told its result. */
  settled(): Promise<void>;
}

/** People push, comment, close and merge, and a CI prices every other commit, until they rest. */
export function startActors(parts: {
  readonly github: Sandbox;
  readonly ci: Ci;
  readonly choices: Choices;
  readonly model: Model;
}): Actors {
  const { choices } = parts;
  const ended = new AbortController();
  const jobs = new Set<Promise<void>>();
  let permitted = 0;
  const acting = (async () => {
    while (!ended.signal.aborted) {
      if (permitted > 0)
        act(parts, (job) => {
          jobs.add(job);
          void job.finally(() => jobs.delete(job));
        });
      permitted = Math.max(permitted - 1, 0);
      await sleep(choices.between(0, PAUSE_MS));
    }
  })();
  return {
    mayAct: () => {
      permitted = ACTIONS;
    },
    rest: async () => {
      ended.abort();
      await acting;
    },
    settled: async () => {
      while (jobs.size > 0) await Promise.all(jobs);
    },
  };
}

type Parts = Parameters<typeof startActors>[0];

function act(parts: Parts, begin: (job: Promise<void>) => void): void {
  const { choices, model } = parts;
  const open = model.pulls.filter(({ isOpen }) => isOpen);
  const [first, ...others] = open;
  if (first === undefined || (open.length < MOST_OPEN && choices.integer(1, 6) === 1)) {
    opens(parts);
    return;
  }
  const pull = choices.pick([first, ...others]);
  const action = choices.integer(1, 10);
  if (action <= 3) pushes(parts, pull);
  else if (action <= 7) begin(runs(parts, pull.headSha));
  else if (action === 8) asks(parts, pull);
  else if (action === 9) parts.github.addLabel(pull, { label: `label-${choices.integer(1, 1_000)}` });
  else if (open.length > MOST_OPEN / 2) closes(parts, pull);
}

function opens({ github, model }: Parts): void {
  const branch = `change-${model.pulls.length}`;
  const files = { [`infra/${branch}.tf`]: `# ${branch}\n` };
  github.push({ repository: REPOSITORY, branch, files });
  const { repositoryId, number, headSha } = github.openPullRequest({
    repository: REPOSITORY,
    head: branch,
    title: branch,
  });
  model.pulls.push({ repositoryId, number, branch, headSha, isOpen: true });
}

function pushes({ github, choices }: Parts, pull: ModelledPull): void {
  const files = { [`infra/${pull.branch}.tf`]: `# ${randomUUID()}\n` };
  const push = { repository: REPOSITORY, branch: pull.branch, files };
  pull.headSha = (choices.integer(1, 3) === 1 ? github.forcePush(push) : github.push(push)).after;
}

function asks({ github, model }: Parts, pull: ModelledPull): void {
  github.addComment(pull, { body: "/tollgate help" });
  model.questions.set(pull.number, (model.questions.get(pull.number) ?? 0) + 1);
}

function closes({ github, choices }: Parts, pull: ModelledPull): void {
  pull.isOpen = false;
  if (choices.integer(1, 2) === 1) github.mergePullRequest(pull);
  else github.closePullRequest(pull);
}

/** One job per commit; a job whose Tollgate is away tries again, as `tollgate platform import` is run again. */
async function runs({ ci, choices, model }: Parts, sha: string): Promise<void> {
  if (model.outcomes.has(sha)) return;
  const outcome = choices.pick(["cheap", "expensive"] as const);
  const bind = choices.pick(["ingest", "status"] as const);
  model.outcomes.set(sha, outcome);
  const executionId = randomUUID();
  for (;;) {
    try {
      await ci.runs({ sha, executionId, bind, cost: COSTS[outcome], changes: [] });
      return;
    } catch {
      await sleep(RETRY_MS);
    }
  }
}
