import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import {
  type DeliveryDeps,
  describeDelivery,
  discoverCommitPulls,
  handleDelivery,
} from "../deliveries/handle.ts";
import { queuedDelivery } from "../deliveries/queued-delivery.ts";
import { evaluateLane } from "../evaluate/evaluate.ts";
import { rememberDelivered } from "../evaluate/facts/executions.ts";
import type { JobDeps } from "../evaluate/run/deps.ts";
import { updateComments } from "../evaluate/update-comments.ts";
import type { GitHubApp } from "../github/app.ts";
import type { DeliveryIntake } from "../github/webhooks/events.ts";
import { MINUTE_MS } from "../kernel/clock.ts";
import { createTurns } from "../store/replicas/turns.ts";
import type { Repository } from "../store/repositories.ts";
import { discoverInstallation, sweep } from "../sweep/sweep.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { StoreSession } from "./process/store-session.ts";
import { repeat } from "./repeat.ts";

/**
 * Lanes that are evaluated at the same time in one process. They wait for GitHub and for a platform elsewhere, and checks that wait
 * together are one request. The embedded platform works in this process: more lanes would only wait for each other, until reads time out.
 */
const LANE_WORKERS = { embedded: 8, remote: 24 };
const COMMENT_WORKERS = 4;
const SWEEP_MS = 3 * MINUTE_MS;
/** How long a process that sweeps is waited for after its last sign of life, and how often the turn is asked for; in ms. */
const SWEEP_LEASE_MS = MINUTE_MS;
const ASK_MS = 10_000;
/** How long the end of the process waits for a sweep, in ms. */
const SWEEP_END_MS = 5_000;

/** Returns the function that reads a commit's open pull requests from GitHub and stores them. */
export function createCommitPullsWriter(
  deps: JobDeps,
  app: GitHubApp,
): (repository: Repository, sha: string) => Promise<void> {
  return async ({ repository_id: id, installation_id, owner_login: owner, name }, sha) => {
    await discoverCommitPulls({ ...deps, app }, installation_id, { id, owner, name }, sha);
  };
}

/** Starts processing deliveries and lanes, and starts the sweep. */
export async function startJobs(deps: JobDeps, app: GitHubApp, log: Logger) {
  const forDeliveries: DeliveryDeps = {
    ...deps,
    app,
    rememberNamed: (commit, named) => rememberDelivered(deps, commit, named),
    discover: (installationId) => discoverInstallation({ ...deps, app }, installationId),
  };
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
  const sweeping = startSweep({ ...deps, app, log });
  return {
    // A request to GitHub may take longer, and the next sweep does what this one leaves.
    stop: () => Promise.race([sweeping.stop(), sleep(SWEEP_END_MS, undefined, { ref: false })]),
  };
}

/**
 * Sweeps in one process at a time. Each process asks for a sweep that began after its own start, because deliveries may have been lost
 * while none ran.
 */
function startSweep(deps: Parameters<typeof sweep>[0] & Pick<JobDeps, "telemetry">) {
  const startedMs = deps.clock.monotonicMs();
  const request = { work: "sweep", holder: randomUUID(), leaseMs: SWEEP_LEASE_MS, everyMs: SWEEP_MS };
  const doInOwnTurn = createTurns(deps.db, request, () => deps.clock.monotonicMs() - startedMs);
  const sweepOnce = (signal: AbortSignal) =>
    deps.telemetry.work({ name: "sweep", origin: null, fields: {} }, () =>
      sweep(deps, { thorough: false, signal }),
    );
  return repeat((signal) => doInOwnTurn(() => sweepOnce(signal), signal), {
    everyMs: ASK_MS,
    onError: (error) => deps.log.error({ error }, "the sweep failed"),
  });
}

type End = () => Promise<void> | void;

/** What ends a running Tollgate, in two steps. */
export class Shutdown {
  readonly #draining: End[] = [];
  readonly #closing: End[] = [];

  /** `end` is called first, at the same time as others of its kind: it takes no new work and completes what runs. */
  drains(end: End): void {
    this.#draining.push(end);
  }

  /** `end` is called after all drained, and after what was registered later: nobody uses the part any longer. */
  closes(end: End): void {
    this.#closing.push(end);
  }

  /** A part that fails to drain is closed all the same. */
  readonly stop = async (): Promise<void> => {
    await Promise.allSettled(this.#draining.splice(0).map((end) => end()));
    for (const end of this.#closing.splice(0).reverse()) await end();
  };
}

interface IntakeParts {
  readonly ownAppId: number;
  readonly platformHosts: readonly string[];
  /** Ids of the platform's Apps. */
  readonly trustedApps: Iterable<number>;
  readonly session: Pick<StoreSession, "queue" | "clock">;
  readonly log: DeliveryIntake["log"];
  readonly telemetry: Telemetry;
}

/** Connects verified deliveries with the queue: each is stored with the origin of its span and of its time. */
export const createIntake = (parts: IntakeParts): DeliveryIntake => ({
  ownAppId: parts.ownAppId,
  platformHosts: parts.platformHosts,
  platformAppIds: [...parts.trustedApps],
  accept: (delivery) => {
    const { session, telemetry } = parts;
    const origin = { receivedAtMs: session.clock.now() };
    const work = { name: "receive delivery", origin, fields: describeDelivery(delivery) };
    return telemetry.work(work, () => {
      const queued = { ...delivery, origin: telemetry.origin() ?? undefined };
      return session.queue.acceptDelivery(delivery.id, queuedDelivery.pack(queued));
    });
  },
  log: parts.log,
  onAnswer: (event, outcome) => parts.telemetry.count("tollgate_deliveries_total", { event, outcome }),
});
