import { notifyOperators } from "../../evaluate/notify.ts";
import type { JobDeps } from "../../evaluate/run/deps.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { type DeliverDeps, deliverNotifications } from "../../notifications/deliver.ts";
import type { Notice, Trouble } from "../../policy/notifications/notification.ts";
import type { Settings } from "../../settings/read.ts";
import { listWaitingTargets } from "../../store/notifications/outbox.ts";
import type { ExaminedPart, Health } from "../../web/health.ts";
import { repeat } from "../repeat.ts";
import { buildNotificationDelivery } from "./delivery-targets.ts";

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
  return repeat(() => sendWaiting(deps).then(examine), {
    everyMs: WATCH_MS,
    onError: (error) =>
      deps.log.warn({ error }, "operators could not be notified of this process's problems"),
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
