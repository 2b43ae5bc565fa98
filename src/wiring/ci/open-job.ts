import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { JobDeps, PolicyTasks } from "../../evaluate/run/deps.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createPlatformClient, type PlatformClient } from "../../platform/client.ts";
import type { CiSettings } from "../../settings/ci.ts";
import { type Database, openDatabase } from "../database/open-database.ts";
import { startPolicyTasks } from "../evaluation/policy-tasks.ts";
import { buildJobDeps } from "../job-deps.ts";
import { createCommitFinder } from "../platform/connect.ts";
import { createEmbeddedApp } from "../platform/embedded.ts";
import { createInProcessTransport, IN_PROCESS_URL } from "../platform/in-process-transport.ts";
import type { StoreSession } from "../process/store-session.ts";
import { connectJobGitHub, type JobGitHub } from "./connect-github.ts";
import { createJobQueue, type JobQueue } from "./job-queue.ts";

/** A whole Tollgate for one CI job: the server's parts, with a database in memory, and nothing that listens. */
export interface OpenJob {
  readonly deps: JobDeps;
  readonly queue: JobQueue;
  readonly github: JobGitHub;
  /** The embedded platform, for imports. */
  readonly platform: PlatformClient;
  close(): Promise<void>;
}

export interface JobTools {
  readonly log: Logger;
  /** Opens a database without rows; default: one in memory. */
  readonly openStore?: (() => Promise<Database>) | undefined;
  /** Default: threads that end with the job. */
  readonly policies?: PolicyTasks | undefined;
}

const openInMemory = () => openDatabase({ kind: "memory" }, () => {});

/**
 * Connects to GitHub and opens everything that an evaluation needs.
 *
 * @throws TollgateError as `connectJobGitHub`
 */
export async function openJob(
  ci: CiSettings,
  { log, openStore = openInMemory, policies: given }: JobTools,
): Promise<OpenJob> {
  const clock = systemClock;
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const github = await connectJobGitHub(ci, { clock, log });
    closing.push(github.close);
    const store = await openStore();
    closing.push(store.close);
    const queue = createJobQueue();
    const session = buildSession({ store, queue, clock });
    const { account } = ci.settings.platform;
    const embedded = await createEmbeddedApp(session, ci.settings, { log });
    const platform = createPlatformClient({
      url: IN_PROCESS_URL,
      token: embedded.token,
      account,
      dialect: "neutral",
      clock,
      random: Math.random,
      sleep,
      transport: createInProcessTransport((request) => embedded.app.fetch(request)),
    });
    const policies = given ?? startThreads(closing);
    const deps = buildJobDeps(ci.settings, {
      session,
      platform: {
        client: platform,
        backgroundClient: platform,
        pace: null,
        findByCommit: createCommitFinder(session, account),
      },
      github: { appId: github.client.appId, installation: () => github.client, pages: github.pages },
      policies,
      log,
      isOneShot: true,
    });
    return { deps, queue, github, platform, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function startThreads(closing: (() => Promise<void>)[]): PolicyTasks {
  const { close, ...policies } = startPolicyTasks();
  closing.push(close);
  return policies;
}

const buildSession = (parts: Pick<StoreSession, "store" | "queue" | "clock">): StoreSession => ({
  ...parts,
  laneSpacingMs: 0,
  findFault: async () => null,
  close: async () => {},
});
