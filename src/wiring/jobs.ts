import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { DeliveryDeps } from "../deliveries/deps.ts";
import { describeDelivery } from "../deliveries/describe-delivery.ts";
import { handleDelivery } from "../deliveries/handle.ts";
import { queuedDelivery } from "../deliveries/queued-delivery.ts";
import { updateComments } from "../evaluate/comment/update-comments.ts";
import { evaluateLane } from "../evaluate/evaluate-lane.ts";
import { rememberDelivered } from "../evaluate/facts/executions/remembered-executions.ts";
import type { JobDeps } from "../evaluate/run/deps.ts";
import type { GitHubApp } from "../github/app.ts";
import { isRefusal } from "../github/client/result.ts";
import { readCommitPulls } from "../github/head/commit-pulls.ts";
import { TollgateError } from "../kernel/errors.ts";
import { savePull } from "../store/pulls.ts";
import { createTurns } from "../store/replicas/turns.ts";
import type { Repository } from "../store/repositories.ts";
import { discoverInstallation } from "../sweep/discover.ts";
import { sweep } from "../sweep/sweep.ts";

/**
 * Lanes that are evaluated at the same time in one process. They wait for GitHub and for a platform elsewhere, and checks that wait
 * together are one request. The embedded platform works in this process: more lanes would only wait for each other, until reads time out.
 */
const LANE_WORKERS = { embedded: 8, remote: 24 };
const COMMENT_WORKERS = 4;
const SWEEP_MS = 3 * 60_000;
/** How long a process that sweeps is waited for after its last sign of life, and how often the turn is asked for; in ms. */
const SWEEP_LEASE_MS = 60_000;
const ASK_MS = 10_000;
/** How long the end of the process waits for a sweep, in ms. */
const SWEEP_END_MS = 5_000;

export interface RunningJobs {
  stop(): Promise<void>;
}

function buildDeliveryDeps(deps: JobDeps, app: GitHubApp): DeliveryDeps {
  return {
    ...deps,
    findCommitPulls: async (installationId, repository, sha) => {
      const answer = await readCommitPulls(app.installation(installationId), repository, sha);
      if (answer.ok)
        return answer.value.filter(({ open }) => open).map((pull) => ({ ...pull, mergeSha: null }));
      if (answer.failure.kind === "not_found" || answer.failure.kind === "rejected") return [];
      throw new TollgateError(
        "github_failed",
        `GitHub could not name the commit's pull requests: ${answer.failure.kind}`,
        { retryable: !isRefusal(answer.failure) },
      );
    },
    rememberNamed: (commit, named) => rememberDelivered(deps, commit, named),
    discover: (installationId) => discoverInstallation({ ...deps, app }, installationId),
  };
}

/** Returns the function that reads a commit's open pull requests from GitHub and stores them. */
export function createCommitPullsWriter(
  deps: JobDeps,
  app: GitHubApp,
): (repository: Repository, sha: string) => Promise<void> {
  const { findCommitPulls } = buildDeliveryDeps(deps, app);
  return async ({ repository_id: id, installation_id, owner_login: owner, name }, sha) => {
    for (const pull of await findCommitPulls(installation_id, { id, owner, name }, sha))
      await savePull(deps.db, { repositoryId: id, state: "open", ...pull }, new Date(deps.clock.now()));
  };
}

/** Starts processing deliveries and lanes, and starts the sweep. */
export async function startJobs(deps: JobDeps, app: GitHubApp, log: Logger): Promise<RunningJobs> {
  const forDeliveries = buildDeliveryDeps(deps, app);
  await deps.queue.workDeliveries((job) => {
    const { origin = null, ...delivery } = queuedDelivery.require(job, "of a job");
    const work = { name: "handle delivery", origin, fields: describeDelivery(delivery) };
    return deps.telemetry.work(work, () => handleDelivery(forDeliveries, delivery));
  });
  await deps.queue.workLanes(
    deps.operator.embedded ? LANE_WORKERS.embedded : LANE_WORKERS.remote,
    (lane, attempt) =>
      deps.telemetry.work({ name: "evaluate", origin: attempt.origin, fields: { lane } }, () =>
        evaluateLane(deps, lane, attempt),
      ),
  );
  await deps.queue.workComments(COMMENT_WORKERS, (lane, attempt) =>
    deps.telemetry.work({ name: "update comment", origin: attempt.origin, fields: { lane } }, () =>
      updateComments(deps, lane, attempt),
    ),
  );
  const ended = new AbortController();
  const sweeping = sweepForever({ ...deps, app, log }, ended.signal);
  return {
    stop: async () => {
      ended.abort();
      // A request to GitHub may take longer, and the next sweep does what this one leaves.
      await Promise.race([sweeping, sleep(SWEEP_END_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * Sweeps until the signal, in one process at a time. Each process asks for a sweep that began after its own start, because deliveries may
 * have been lost while none ran.
 */
async function sweepForever(
  deps: Parameters<typeof sweep>[0] & Pick<JobDeps, "telemetry">,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = deps.clock.monotonicMs();
  const request = { work: "sweep", holder: randomUUID(), leaseMs: SWEEP_LEASE_MS, everyMs: SWEEP_MS, signal };
  const doInOwnTurn = createTurns(deps.db, request, () => deps.clock.monotonicMs() - startedMs);
  const sweepOnce = () =>
    deps.telemetry.work({ name: "sweep", origin: null, fields: {} }, () =>
      sweep(deps, { thorough: false, signal }),
    );
  while (!signal.aborted) {
    await doInOwnTurn(sweepOnce).catch((error: unknown) => deps.log.error({ error }, "the sweep failed"));
    await sleep(ASK_MS, undefined, { signal }).catch(() => {});
  }
}
