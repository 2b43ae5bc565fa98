import { Agent, request as send } from "undici";
import { notifyOperators } from "../../evaluate/notify.ts";
import type { JobDeps, Log } from "../../evaluate/run/deps.ts";
import { resolveGitHubPagesUrl } from "../../github/client/guarded-fetch.ts";
import { MINUTE_MS, within } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import {
  type DeliverDeps,
  type DeliveryTarget,
  deliverNotifications,
  type PostRequest,
  type Senders,
  type SendResult,
  sendMessage,
  type TargetAddress,
} from "../../notifications/deliver.ts";
import { createWeeklyReports } from "../../notifications/weekly-report.ts";
import { VERSION } from "../../package/version.ts";
import type { Notice, Trouble } from "../../policy/notifications/notification.ts";
import { createNotificationRenderer } from "../../render/notifications/message-text.ts";
import type { Settings } from "../../settings/read.ts";
import { listWaitingTargets } from "../../store/notifications/outbox.ts";
import type { ExaminedPart, Health } from "../../web/health.ts";
import { createLog, listSecrets } from "../process/log.ts";
import { loadOperatorTemplates, loadTemplates } from "../process/templates.ts";
import { repeat } from "../repeat.ts";

/** Time limit of one attempt, from the connection to the end of the answer, in ms. */
const TIMEOUT_MS = 10_000;

/** Builds the targets of the operator's file, with what sends to them. `timeoutMs`: of one attempt. */
export function buildNotificationDelivery(
  settings: Settings,
  log: Pick<Log, "warn">,
  timeoutMs: number = TIMEOUT_MS,
) {
  const { namedOperator, operator } = settings;
  const targets: readonly DeliveryTarget[] = (namedOperator ?? operator).notifications.targets;
  return {
    targets: new Map(targets.map((target) => [target.name, target])),
    renderer: createNotificationRenderer(
      loadTemplates(),
      { github: resolveGitHubPagesUrl(settings.githubUrl), tollgate: settings.publicUrl },
      loadOperatorTemplates(settings.templatesDirectory, log),
    ),
    senders: {
      post: (request: PostRequest) => postNotification(request, timeoutMs),
      mail: (mail: Parameters<SendMail>[0], address: EmailAddress) => sendByMail(mail, address, timeoutMs),
    },
  };
}

/** Most bytes that are read of an answer; none of them is stored, logged or shown. */
const READ_BYTES = 64 * 1_024;

/**
 * Sends one POST to an address of the operator's. Redirects are not followed, because they lead to addresses that the operator did not
 * name. Never throws.
 */
async function postNotification({ url, headers, body }: PostRequest, timeoutMs: number): Promise<SendResult> {
  const agent = new Agent({
    connect: { timeout: timeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: READ_BYTES,
  });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await send(url, {
      method: "POST",
      headers: { ...headers, "user-agent": `Tollgate/${VERSION}` },
      body,
      dispatcher: agent,
      signal,
    });
    const result = toResult(answer.statusCode, answer.headers["retry-after"]);
    await answer.body.dump({ limit: READ_BYTES, signal }).catch(() => {});
    return result;
  } catch (error) {
    if (signal.aborted) return createLateResult(timeoutMs);
    const problem = `it could not be reached (${findCode(error) ?? "unknown"})`;
    return { state: "unavailable", problem, afterMs: null };
  } finally {
    await agent.destroy();
  }
}

function toResult(status: number, retryAfter: string | string[] | undefined): SendResult {
  if (status >= 200 && status < 300) return { state: "sent" };
  const problem = `it answered with the status ${status}`;
  if (status >= 300 && status < 400)
    return { state: "refused", problem: `${problem}, a redirect, and redirects are not followed` };
  const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500;
  if (!isTemporary) return { state: "refused", problem };
  const [seconds] = [retryAfter ?? []].flat();
  const afterMs = seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : null;
  return { state: "unavailable", problem, afterMs };
}

/** The code of a failed connection, e.g. `ECONNREFUSED`; messages of libraries may quote the address. */
function findCode(error: unknown): string | null {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const codes = causes.map((one) => (one instanceof Error && "code" in one ? one.code : undefined));
  return (
    codes.find((code) => typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code))?.toString() ?? null
  );
}

type SendMail = Senders["mail"];
type EmailAddress = TargetAddress & { kind: "email" };

const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Sends an e-mail by SMTP: encrypted from the start (`smtps`), or by STARTTLS, without which nothing is sent except on this machine.
 * Never throws.
 */
async function sendByMail(
  { id, ...mail }: Parameters<SendMail>[0],
  address: EmailAddress,
  timeoutMs: number,
): Promise<SendResult> {
  const { createTransport } = await import("nodemailer"); // loaded where it is used: most installations send no e-mail
  const transport = createTransport(buildTransportOptions(address, timeoutMs));
  const sending = transport
    .sendMail({
      ...mail,
      from: { name: "Tollgate", address: address.from },
      to: [...address.to],
      messageId: `<${id}@${address.from.split("@").at(-1)}>`,
      headers: { "Auto-Submitted": "auto-generated" },
    })
    .then((): SendResult => ({ state: "sent" }), explain);
  try {
    return await within(timeoutMs, sending, () => createLateResult(timeoutMs));
  } finally {
    transport.close();
  }
}

const createLateResult = (timeoutMs: number): SendResult => ({
  state: "unavailable",
  problem: `it did not answer within ${timeoutMs} ms`,
  afterMs: null,
});

function buildTransportOptions({ smtp }: EmailAddress, timeoutMs: number) {
  const url = new URL(smtp);
  const isEncrypted = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (isEncrypted ? 465 : 587) : Number(url.port),
    secure: isEncrypted,
    requireTLS: !isEncrypted && !LOOPBACK.includes(url.hostname),
    ...(url.username !== "" && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Nothing in a message may name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The library's message may quote the dialogue with the server, so only its codes are shown. */
function explain(error: unknown): SendResult {
  const status = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : Number.NaN;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  if (Number.isNaN(status))
    return { state: "unavailable", problem: `it could not be reached (${code})`, afterMs: null };
  const problem = `it answered with the status ${status}${code === "EAUTH" ? " to the login" : ""}`;
  return status >= 500 ? { state: "refused", problem } : { state: "unavailable", problem, afterMs: null };
}

/** What came of a test message. */
export interface TestedTarget {
  readonly target: string;
  readonly kind: string;
  /** Null: it was sent. */
  readonly problem: string | null;
}

/**
 * Sends a test message to a target, or to each (null), all at the same time. Opens no database and stores nothing. `id`: names the
 * message.
 *
 * @throws TollgateError `usage` when there is no such target
 */
export async function testTargets(
  settings: Settings,
  name: string | null,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): Promise<readonly TestedTarget[]> {
  const log = createLog(settings.logLevel, { secrets: listSecrets(settings) });
  const { targets, renderer, senders } = buildNotificationDelivery(settings, log);
  const chosen = [...targets.values()].filter((target) => name === null || target.name === name);
  if (chosen.length === 0) throw createMissingError(name, [...targets.keys()]);
  return Promise.all(
    chosen.map(async (target) => {
      const notifications = [{ event: "test", target: target.name }] as const;
      const text = renderer.message(notifications, { target: target.name, isDigest: false });
      const result = await sendMessage(senders, target, { id, text, notifications, nowMs });
      const problem = result.state === "sent" ? null : result.problem;
      return { target: target.name, kind: target.kind, problem };
    }),
  );
}

function createMissingError(name: string | null, known: readonly string[]): TollgateError {
  const hint = "docs/operations/notifications.md shows how the operator's file names targets.";
  if (known.length === 0) return new TollgateError("usage", "the operator's file names no target", { hint });
  const found = JSON.stringify(name);
  return new TollgateError("usage", `there is no target ${found}; expected one of ${known.join(", ")}`, {
    hint,
  });
}

/** Targets that are sent to at the same time in one process: a slow one delays few others. */
const WORKERS = 4;
/** How often the process examines itself, and looks for messages whose job was lost, in ms. */
const WATCH_MS = MINUTE_MS;

/** Starts sending notifications, those to operators about problems of this process too. Without targets, nothing runs. */
export async function startNotifications(
  deps: JobDeps,
  settings: Settings,
  health: Pick<Health, "examineAll">,
): Promise<{ stop(): Promise<void> }> {
  if (settings.operator.notifications.targets.length === 0) return { stop: async () => {} };
  const delivery = buildNotificationDelivery(settings, deps.log);
  const forDelivery: DeliverDeps = {
    ...deps,
    ...delivery,
    reportTarget: (target, problem) => notifyOperators(deps, [buildTargetNotice(target, problem)]),
  };
  await deps.queue.workNotifications(WORKERS, (target) =>
    deps.telemetry.work({ name: "notify", origin: null, fields: { target } }, () =>
      deliverNotifications(forDelivery, target),
    ),
  );
  const examine = createTroubleWatch(deps, health);
  const report = createWeeklyReports({ ...deps, ...deps.operator });
  return repeat(() => sendWaiting(deps).then(report).then(examine), {
    everyMs: WATCH_MS,
    onError: (error) =>
      deps.log.warn({ error }, "weekly reports or this process's problems could not be stored for targets"),
  });
}

/** A process may end between storing a message and enqueuing its job. */
async function sendWaiting({ db, queue }: JobDeps): Promise<void> {
  for (const target of await listWaitingTargets(db)) await queue.enqueueNotifications(target);
}

/**
 * Returns a function that notifies operators of failing parts and forgets those that work again. A part is reported after two failures
 * in a row: one late answer under load is no trouble.
 */
function createTroubleWatch(
  deps: Parameters<typeof notifyOperators>[0],
  health: Pick<Health, "examineAll">,
): () => Promise<void> {
  let failedBefore: ReadonlySet<string> = new Set();
  return async () => {
    const examined = await health.examineAll();
    const reported = examined.filter(
      ({ name, health: { state } }) => state === "ok" || failedBefore.has(name),
    );
    failedBefore = new Set(examined.flatMap(({ name, health: { state } }) => (state === "ok" ? [] : [name])));
    await notifyOperators(deps, reported.map(buildPartNotice));
  };
}

function buildPartNotice({ name: part, health }: ExaminedPart): Notice {
  const trouble = health.state === "ok" ? null : { kind: "part" as const, part, reason: health.reason };
  return buildTroubleNotice(`part ${part}`, trouble);
}

const buildTargetNotice = (target: string, problem: string | null): Notice =>
  buildTroubleNotice(
    `target ${target}`,
    problem === null ? null : { kind: "target", target, reason: problem },
  );

/** Reported once until it is over, whatever the reasons are in the meantime. */
const buildTroubleNotice = (subject: string, trouble: Trouble | null): Notice => ({
  event: "trouble",
  subject: `trouble ${subject}`,
  change: trouble && { key: "failed", notification: { event: "trouble", trouble } },
});
