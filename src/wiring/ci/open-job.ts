import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { PolicyTasks } from "../../evaluate/run/deps.ts";
import { resolveGitHubApiUrl, resolveGitHubPagesUrl } from "../../github/client/guarded-fetch.ts";
import { toResult } from "../../github/client/read-answer.ts";
import type { GitHubFailure } from "../../github/client/result.ts";
import { connectByToken } from "../../github/client/token-installation.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { Queue } from "../../queue/queue.ts";
import type { CiSettings } from "../../settings/ci.ts";
import { NO_TELEMETRY } from "../../telemetry/telemetry.ts";
import { type Database, openDatabase } from "../database/schema.ts";
import { startPolicyTasks } from "../evaluation/policy-tasks.ts";
import { openGitHubPool } from "../github.ts";
import { buildJobDeps } from "../job-deps.ts";
import { openInSteps } from "../open-in-steps.ts";
import { connectEmbedded } from "../platform/connect.ts";

export type OpenJob = Awaited<ReturnType<typeof openJob>>;

export interface JobTools {
  readonly log: Logger;
  /** Opens a database without rows; default: one in memory. */
  readonly openStore?: (() => Promise<Database>) | undefined;
  /** Default: threads that end with the job. */
  readonly policies?: PolicyTasks | undefined;
}

const openInMemory = () => openDatabase({ kind: "memory" }, () => {});

/**
 * Connects to GitHub and opens everything that an evaluation needs: a whole Tollgate for one CI job, the server's parts with a database in
 * memory, and nothing that listens. `platform`: the embedded platform, for imports.
 *
 * @throws TollgateError as `connectJobGitHub`
 */
export async function openJob(ci: CiSettings, { log, openStore = openInMemory, policies: given }: JobTools) {
  const clock = systemClock;
  return openInSteps(async (opening) => {
    const github = await connectJobGitHub(ci, { clock, log });
    opening.defer(github.close);
    const store = await openStore();
    opening.defer(store.close);
    const queue = createJobQueue();
    const session = { store, queue, clock, laneSpacingMs: 0 };
    const platform = await connectEmbedded(ci.settings, session, { log, telemetry: NO_TELEMETRY });
    const policies = given ?? opening.adopt(startPolicyTasks(), (threads) => threads.close());
    const deps = buildJobDeps(ci.settings, {
      session,
      platform,
      github: { appId: github.client.appId, installation: () => github.client, pages: github.pages },
      policies,
      log,
      isOneShot: true,
    });
    return { deps, queue, github, platform: platform.client, close: () => opening.disposeAsync() };
  });
}

/**
 * Connects to GitHub by the job's token. `pages`: root URL of GitHub's pages, without a slash at the end.
 *
 * @throws TollgateError `usage` without a usable token, `github_failed`
 */
async function connectJobGitHub(
  { settings, apiUrl, pagesUrl, token }: CiSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
) {
  if (token === null)
    throw new TollgateError("usage", "there is no token for GitHub", {
      hint: "Set GITHUB_TOKEN: in a workflow to github.token, elsewhere to a token of a GitHub App.",
    });
  return openInSteps(async (opening) => {
    const pool = openGitHubPool();
    opening.defer(pool.close);
    const connecting = connectByToken(token, {
      apiUrl: apiUrl ?? resolveGitHubApiUrl(settings.githubUrl),
      fetch: pool.fetch,
      clock,
      wait: (ms) => sleep(ms),
      writeSpacingMs: settings.githubWriteSpacingMs,
      log,
    });
    const connected = await toResult(connecting);
    if (!connected.ok) throw createConnectError(connected.failure);
    if (connected.value.state === "person") throw createPersonError(connected.value.login);
    const pages = pagesUrl ?? resolveGitHubPagesUrl(settings.githubUrl);
    return { client: connected.value.client, pages, close: () => opening.disposeAsync() };
  });
}

const createConnectError = ({ kind, message }: GitHubFailure): TollgateError =>
  kind === "unauthorised"
    ? new TollgateError("github_failed", "GitHub does not accept the token: it is wrong, or it has expired", {
        hint: "GITHUB_TOKEN of a workflow ends with its job. Use the token of this job.",
      })
    : new TollgateError("github_failed", `GitHub did not say whose token this is: ${kind}, ${message}`, {
        retryable: true,
      });

const createPersonError = (login: string): TollgateError =>
  new TollgateError("usage", `the token belongs to ${login}, and GitHub lets only Apps write checks`, {
    hint: "Use github.token in a workflow; elsewhere a token of a GitHub App of yours that may write checks and pull requests.",
  });

/** The queue of one CI job: it remembers what is enqueued until the job asks. Alarms are dropped, because nothing runs after the job. */
interface JobQueue extends Queue {
  takeLane(): string | null;
  takeComment(): string | null;
}

function createJobQueue(): JobQueue {
  const lanes = new Set<string>();
  const comments = new Set<string>();
  return {
    takeLane: () => take(lanes),
    takeComment: () => take(comments),
    enqueue: async (lane) => void lanes.add(lane),
    enqueueComment: async (lane) => void comments.add(lane),
    setAlarm: async () => {},
    enqueueNotifications: async () => {},
    enqueuePlatformJob: async () => {},
    acceptDelivery: refuseWork,
    workDeliveries: refuseWork,
    workLanes: refuseWork,
    workComments: refuseWork,
    workNotifications: refuseWork,
    workPlatform: refuseWork,
    isIdle: async () => lanes.size + comments.size === 0,
    isMoving: async () => true,
    countJobs: async () => [],
    stop: async () => {},
  };
}

function take(waiting: Set<string>): string | null {
  const [first] = waiting;
  if (first === undefined) return null;
  waiting.delete(first);
  return first;
}

const refuseWork = (): Promise<never> =>
  Promise.reject(new Error("a CI job receives nothing and has no workers"));
