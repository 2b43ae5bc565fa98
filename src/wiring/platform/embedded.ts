import { Hono } from "hono";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { within } from "../../kernel/clock.ts";
import type { DialectName } from "../../platform/contract/wire/translate.ts";
import { createFailure, type Failure } from "../../platform/errors.ts";
import { openApiDocument } from "../../platform/openapi/document.ts";
import type { HttpAnswer, HttpRequest, Transport } from "../../platform/transport.ts";
import { type IngestedCommit, PlatformJob, type UnboundExecution } from "../../platform-server/area/area.ts";
import { createTargetGuard } from "../../platform-server/area/target-guard.ts";
import { STRICT_WEBHOOKS, type WebhookSettings } from "../../platform-server/area/webhook-settings.ts";
import type { LargeIngestReader } from "../../platform-server/executions/ingest.ts";
import { tidyImports } from "../../platform-server/imports/handlers.ts";
import {
  listUnfinishedJobs,
  type PlatformJobDeps,
  runPlatformJob,
} from "../../platform-server/run-platform-job.ts";
import { createPlatformServer, isPlatformPath } from "../../platform-server/server.ts";
import { setPushDisabled } from "../../platform-server/settings/push-disabled.ts";
import { deliverWebhook } from "../../platform-server/webhooks/deliver.ts";
import { type EnqueueDeps, enqueueCommitGroup, enqueueLane } from "../../queue/queue.ts";
import type { Settings } from "../../settings/read.ts";
import { addBinding, removeBindings } from "../../store/bindings.ts";
import { listCommitPulls, listOpenCommitPulls, type PullRow } from "../../store/pulls.ts";
import { findRepositoryByName } from "../../store/repositories.ts";
import { createSeal } from "../../store/seal.ts";
import type { Tables } from "../../store/tables/tables.ts";
import { createToken, INTERNAL_CREATOR, revokeToken } from "../../store/tokens.ts";
import type { StoreSession } from "../process/store-session.ts";

export type EmbeddedPlatform = Awaited<ReturnType<typeof createEmbeddedPlatform>>;

/** What the embedded platform uses of a process. */
export type PlatformSession = Pick<StoreSession, "store" | "queue" | "clock" | "laneSpacingMs">;

export interface EmbeddedOptions {
  readonly log: Logger;
  /** See `PlatformServerOptions`. */
  readonly readLargeIngest?: LargeIngestReader;
}

type EmbeddedSettings = Pick<Settings, "platform" | "operator" | "encryptionKey">;

/** Creates the embedded platform on the bot's database; nothing listens. Ingested data enqueues the lanes of its pull requests. */
export async function createEmbeddedPlatform(
  session: PlatformSession,
  settings: EmbeddedSettings,
  { log, readLargeIngest }: EmbeddedOptions,
) {
  const { store, clock, queue } = session;
  const { account } = settings.platform;
  const dialect = settings.platform.dialect ?? "neutral";
  const webhooks = buildWebhookSettings(settings);
  await tidyImports(store.db, clock).catch((error: unknown) =>
    log.error({ error }, "an interrupted import could not be ended"),
  );
  const { push_disabled } = settings.operator;
  if (push_disabled !== undefined) await setPushDisabled(store.db, account, push_disabled);
  const platform = createPlatformServer({
    store,
    clock,
    onIngest: (commit) => bindExecution(session, account, commit),
    onUnbind: async (trx, unbound) => {
      if (unbound.account !== account) return unbound.isRecorded ? async () => {} : null;
      const pulls = await unbindExecution(trx, unbound);
      return pulls && (() => enqueuePulls(session, pulls));
    },
    enqueue: (job) => queue.enqueuePlatformJob(job),
    webhooks,
    dialect,
    ...(readLargeIngest && { readLargeIngest }),
    onError: (error) => log.error({ error }, "the embedded platform failed"),
  });
  const app = new Hono();
  app.route("/", createDocumentRoute(dialect));
  app.use("*", async ({ req }, next) => (isPlatformPath(req.path) ? platform.fetch(req.raw) : next()));
  const grant = { purpose: "api", account } as const;
  const token = await createToken(store.db, grant, clock, { createdBy: INTERNAL_CREATOR });
  return {
    /** Its routes, for the paths of `isPlatformPath`. */
    app,
    /** Token for the whole account; valid until `close`. */
    token: token.secret,
    /** Makes one webhook delivery that an event enqueued. */
    deliverWebhook: (delivery: Parameters<typeof deliverWebhook>[1]) =>
      deliverWebhook({ db: store.db, clock, webhooks, dialect }, delivery),
    close: async () => {
      await revokeToken(store.db, token.id, clock);
    },
  };
}

/**
 * `GET /tollgate/v1/openapi.json` describes the platform's operations in the dialect of its answers. It has no customer data, so it needs
 * no token. It takes 0.1 s to make, once.
 */
function createDocumentRoute(dialect: DialectName): Hono {
  let json: string | null = null;
  const headers = {
    "content-type": "application/json",
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  return new Hono().get("/tollgate/v1/openapi.json", () => {
    json ??= JSON.stringify(openApiDocument(dialect));
    return new Response(json, { headers });
  });
}

/**
 * Binds an execution to every open pull request with this head, and enqueues their lanes and that of a merge group with this commit. A test-merge commit changes
 * whenever the base branch moves, so its data is bound to the head at once. The bot reads its own account only: another account's execution
 * of the same ids is another execution.
 */
async function bindExecution(
  session: PlatformSession,
  account: string,
  commit: IngestedCommit,
): Promise<void> {
  const { db } = session.store;
  const { org, project, executionId: pipeline_execution_id } = commit;
  const repository_id =
    commit.repositoryId ?? (await findRepositoryByName(db, commit.repository))?.repository_id;
  if (repository_id === undefined || commit.account !== account) return;
  const execution = { repository_id, org, project, pipeline_execution_id, source: "audit" } as const;
  const now = new Date(session.clock.now());
  await enqueueCommitGroup(toEnqueueDeps(session), repository_id, commit.sha);
  for (const pull of await listOpenCommitPulls(db, repository_id, commit.sha)) {
    await addBinding(db, { ...execution, head_sha: pull.head_sha }, now);
    await enqueuePulls(session, [pull]);
  }
}

/**
 * Removes the bindings of an execution to a pull request's head, see `onUnbind`. Nothing tells any more which head had a test merge whose
 * base has moved, so the binding to every head of the repository is removed then: a head that is recorded itself keeps its execution.
 */
async function unbindExecution(
  trx: Kysely<Tables>,
  { repositoryId, shas, isRecorded, org, project, pipeline_execution_id }: UnboundExecution,
): Promise<readonly PullRow[] | null> {
  const execution = { repository_id: repositoryId, org, project, pipeline_execution_id };
  const named = await removeBindings(trx, execution, shas);
  const heads = named.length > 0 || !isRecorded ? named : await removeBindings(trx, execution, "all");
  if (heads.length === 0 && !isRecorded) return null;
  const pulls = await listCommitPulls(trx, repositoryId, [...shas, ...heads]);
  return pulls.filter(({ state }) => state === "open");
}

async function enqueuePulls(session: PlatformSession, pulls: readonly PullRow[]): Promise<void> {
  for (const { repository_id: repositoryId, number } of pulls)
    await enqueueLane(toEnqueueDeps(session), { kind: "pull", repositoryId, number });
}

const toEnqueueDeps = ({ store: { db }, queue, clock, laneSpacingMs }: PlatformSession): EnqueueDeps => ({
  ...{ db, queue, clock, laneSpacingMs },
});

const buildWebhookSettings = ({
  operator,
  encryptionKey,
}: Pick<Settings, "operator" | "encryptionKey">): WebhookSettings => ({
  ...STRICT_WEBHOOKS,
  identity: operator.webhook_identity ?? null,
  guard: createTargetGuard(operator.webhook_targets.allow),
  seal: encryptionKey === null ? null : createSeal(encryptionKey, "webhook secrets"),
  secrets: new Map(Object.entries(operator.webhook_secrets)),
});

/**
 * Processes the jobs that operations of the embedded platform enqueued, first those that an earlier process
 * left.
 */
export async function workPlatformJobs(
  { store, clock, queue }: PlatformSession,
  { deliverWebhook }: Pick<PlatformJobDeps, "deliverWebhook">,
): Promise<void> {
  const deps = { db: store.db, clock, deliverWebhook };
  for (const job of await listUnfinishedJobs(store.db)) await queue.enqueuePlatformJob(job);
  await queue.workPlatform(PlatformJob, (job) => runPlatformJob(deps, job));
}

/** Origin that the requests name; nothing listens there. */
export const IN_PROCESS_URL = "http://127.0.0.1";

type AnswerRequest = (request: Request) => Response | Promise<Response>;

/** Passes the requests of a platform client to a platform in this process, without a port. */
export const createInProcessTransport = (answerRequest: AnswerRequest): Transport => ({
  send: (request) =>
    within(request.remainingMs, send(answerRequest, request), () =>
      createFailure("timed_out", `no complete answer within ${Math.round(request.remainingMs)} ms`),
    ),
  close: async () => {},
});

async function send(
  answerRequest: AnswerRequest,
  { method, target, headers, body }: HttpRequest,
): Promise<HttpAnswer | Failure> {
  try {
    const answer = await answerRequest(
      new Request(`${IN_PROCESS_URL}${target}`, { method, headers, ...(body != null && { body }) }),
    );
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      // Not `bytes`: hono's node server replaces the global Response by a class without it.
      body: new Uint8Array(await answer.arrayBuffer()),
    };
  } catch {
    return createFailure("unavailable", "the embedded platform failed");
  }
}
