import { TollgateError } from "../../kernel/errors.ts";
import { sendMessage } from "../../notifications/send-message.ts";
import type { Settings } from "../../settings/settings.ts";
import { createLog, listSecrets } from "../process/log.ts";
import { buildNotificationDelivery } from "./delivery-targets.ts";

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
      return { target: target.name, kind: target.address.kind, problem };
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
