import type { CheckRun, CheckRunOutput } from "../state/checks.ts";
import { requireRepository, resolveActor } from "../state/find.ts";
import { buildCommitKey, type World } from "../state/world.ts";
import type { CheckVerbs, NewCheckRun, NewStatus } from "../verbs/checks.ts";
import { createCheckRun, createStatus, emitRunEvent, resolveActorId, updateCheckRun } from "./checks.ts";
import { emitSuiteEvent } from "./suites.ts";

const NO_OUTPUT: CheckRunOutput = { title: null, summary: null, text: null };

export const createCheckVerbs = (world: World): CheckVerbs => ({
  postStatus: (spec) => postStatus(world, spec),
  statuses: ({ repository, sha }) => {
    const repositoryId = requireRepository(world, repository).id;
    return world.statuses.group(buildCommitKey({ repositoryId, sha })).toReversed();
  },
  postCheckRun: (spec) => postCheckRun(world, spec),
  completeCheckRun: ({ checkRunId, conclusion, output }) => {
    const run = world.checkRuns.require(checkRunId);
    const done = { status: "completed", conclusion, completedAt: world.clock.now() } as const;
    return updateCheckRun(world, checkRunId, { ...done, output: { ...run.output, ...output } });
  },
  checkRuns: (spec) => {
    const repositoryId = requireRepository(world, spec.repository).id;
    return world.checkRuns
      .group(buildCommitKey({ repositoryId, sha: spec.sha }))
      .filter((run) => spec.appId === undefined || run.appId === spec.appId)
      .filter((run) => spec.name === undefined || run.name === spec.name)
      .toReversed();
  },
  rerequestCheckRun: ({ checkRunId, by }) => pressButton(world, world.checkRuns.require(checkRunId), { by }),
  requestCheckAction: ({ checkRunId, identifier, by }) =>
    pressButton(world, world.checkRuns.require(checkRunId), { by, identifier }),
  rerequestCheckSuite: ({ checkSuiteId, by }) => {
    const suite = world.checkSuites.require(checkSuiteId);
    const senderId = resolveActorId(world, suite.repositoryId, by);
    emitSuiteEvent(world, suite, { action: "rerequested", onlyOwner: true, senderId });
  },
});

function postStatus(world: World, spec: NewStatus) {
  const repository = requireRepository(world, spec.repository);
  return createStatus(world, {
    repositoryId: repository.id,
    sha: spec.sha,
    context: spec.context,
    state: spec.state,
    description: spec.description ?? null,
    targetUrl: spec.targetUrl ?? null,
    creatorId: resolveActor(world, repository, spec.creator).id,
  });
}

function postCheckRun(world: World, spec: NewCheckRun): CheckRun {
  const now = world.clock.now();
  const conclusion = spec.conclusion ?? null;
  const status = conclusion === null ? (spec.status ?? "queued") : "completed";
  return createCheckRun(world, {
    repositoryId: requireRepository(world, spec.repository).id,
    appId: spec.appId,
    name: spec.name,
    headSha: spec.sha,
    status,
    conclusion,
    externalId: spec.externalId ?? null,
    detailsUrl: spec.detailsUrl ?? null,
    startedAt: now,
    completedAt: status === "completed" ? now : null,
    output: { ...NO_OUTPUT, ...spec.output },
    annotations: [],
    actions: [],
  });
}

function pressButton(
  world: World,
  run: CheckRun,
  what: { by: string | undefined; identifier?: string },
): void {
  const senderId = resolveActorId(world, run.repositoryId, what.by);
  if (what.identifier === undefined) {
    emitRunEvent(world, run, { action: "rerequested", onlyOwner: true, senderId });
    return;
  }
  const extra = { requested_action: { identifier: what.identifier } };
  emitRunEvent(world, run, { action: "requested_action", onlyOwner: true, senderId, extra });
}
