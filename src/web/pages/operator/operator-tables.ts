import { formatDuration } from "../../../render/format/time.ts";
import type { ListedInstallation } from "../../../store/installations.ts";
import type { TokenRecord } from "../../../store/tokens.ts";
import type { DeliveryOutcome, FailedCall, FailedWork, QueueState } from "../../operator-access.ts";
import { formatPullPath, formatRepositoryPath, type PageAddress } from "../../page/address.ts";
import { type Column, readFormat, type TableCell } from "../../page/table.ts";
import { buildTimeView } from "../../page/times.ts";

/** A time as its age; the exact time is in CSV and JSON. */
const age = (ms: number, nowMs: number): TableCell => ({ text: buildTimeView(ms, nowMs).ago });
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const buildQueueColumns = (): readonly Column<QueueState>[] => [
  text("queue", "Queue", ({ name }) => name),
  count("due", "Waiting", ({ due }) => due),
  count("scheduled", "Later", ({ scheduled }) => scheduled),
  count("active", "Running", ({ active }) => active),
  {
    ...count<QueueState>("oldest_seconds", "Oldest waits", ({ oldestDueSeconds }) =>
      Math.round(oldestDueSeconds),
    ),
    cell: ({ oldestDueSeconds: seconds, due }) =>
      due === 0
        ? { text: "–", tone: "muted" }
        : { text: formatDuration(seconds * 1_000), ...(seconds > 300 && { tone: "danger" }) },
  },
];

const DELIVERY_LOOKS = {
  waiting: { text: "waiting", icon: "hourglass", tone: "attention" },
  again: { text: "will be tried again", icon: "sync", tone: "attention" },
  running: { text: "running", icon: "sync", tone: "attention" },
  done: { text: "done", icon: "check", tone: "success" },
  failed: { text: "failed", icon: "x-circle-fill", tone: "danger" },
} as const;

export const buildDeliveryColumns = (nowMs: number): readonly Column<DeliveryOutcome>[] => [
  {
    key: "received",
    label: "Received",
    cell: ({ receivedMs }) => age(receivedMs, nowMs),
    value: ({ receivedMs }) => iso(receivedMs),
  },
  text("event", "Event", ({ event }) => event),
  {
    key: "repository",
    label: "About",
    cell: ({ repository, pull }) => describeSubject(repository, pull),
    value: ({ repository, pull }) => (pull === null ? repository : `${repository}#${pull}`),
  },
  {
    key: "state",
    label: "Outcome",
    cell: ({ state, problem }) => ({
      ...DELIVERY_LOOKS[state],
      ...(problem !== null && { note: problem.slice(0, 300) }),
    }),
    value: ({ state }) => state,
  },
  {
    ...text<DeliveryOutcome>("id", "Delivery", ({ id }) => id),
    cell: ({ id }) => ({ text: id, code: true }),
  },
];

function describeSubject(repository: string | null, pull: number | null): TableCell {
  if (repository === null) return { text: "–", tone: "muted" };
  return pull === null
    ? { text: repository, href: formatRepositoryPath(repository) }
    : { text: `${repository} #${pull}`, href: formatPullPath(repository, pull) };
}

export const buildInstallationColumns = (
  nowMs: number,
  paused: ReadonlySet<number>,
): readonly Column<ListedInstallation>[] => [
  text("owner", "Account", ({ owner_login }) => owner_login),
  text("selection", "Covers", ({ repository_selection }) => repository_selection),
  count("repositories", "Repositories", ({ repositories }) => repositories),
  {
    key: "state",
    label: "State",
    cell: ({ suspended, installation_id: id }) => {
      if (suspended) return { text: "suspended on GitHub", icon: "lock", tone: "danger" };
      if (paused.has(id))
        return { text: "waits for GitHub's rate limit", icon: "hourglass", tone: "attention" };
      return { text: "works", icon: "check", tone: "success" };
    },
    value: ({ suspended, installation_id: id }) =>
      suspended ? "suspended" : paused.has(id) ? "paused" : "works",
  },
  {
    key: "updated",
    label: "Last read",
    cell: ({ updated_at }) => age(updated_at.getTime(), nowMs),
    value: ({ updated_at }) => updated_at.toISOString(),
  },
  {
    ...count<ListedInstallation>("id", "Id", ({ installation_id }) => installation_id),
    cell: ({ installation_id: id }) => ({ text: String(id), code: true }),
  },
];

export const buildTokenColumns = (nowMs: number): readonly Column<TokenRecord>[] => [
  text("name", "Name", ({ name, id }) => name ?? id),
  text("purpose", "For", ({ purpose }) => purpose),
  text("repository", "Repository", ({ repository }) => repository),
  {
    key: "created",
    label: "Created",
    cell: ({ created_ms, created_by }) => ({
      ...age(created_ms, nowMs),
      ...(created_by !== null && { note: `by ${created_by}` }),
    }),
    value: ({ created_ms }) => iso(created_ms),
  },
  {
    key: "used",
    label: "Last used",
    cell: ({ last_used_ms: ms }) => (ms === null ? { text: "never", tone: "muted" } : age(ms, nowMs)),
    value: ({ last_used_ms }) => iso(last_used_ms),
  },
  {
    key: "state",
    label: "State",
    cell: (token) => TOKEN_LOOKS[decideTokenState(token, nowMs)],
    value: (token) => decideTokenState(token, nowMs),
  },
  { ...text<TokenRecord>("id", "Id", ({ id }) => id), cell: ({ id }) => ({ text: id, code: true }) },
];

const TOKEN_LOOKS = {
  valid: { text: "valid", icon: "key", tone: "success" },
  expired: { text: "expired", icon: "clock", tone: "muted" },
  revoked: { text: "revoked", icon: "x", tone: "muted" },
} as const;

/** Whether a token still works. */
export function decideTokenState(
  { revoked_ms, expires_ms }: Pick<TokenRecord, "revoked_ms" | "expires_ms">,
  nowMs: number,
): keyof typeof TOKEN_LOOKS {
  if (revoked_ms !== null) return "revoked";
  return expires_ms !== null && expires_ms <= nowMs ? "expired" : "valid";
}

export const buildWorkColumns = (nowMs: number): readonly Column<FailedWork>[] => [
  {
    key: "failed",
    label: "Failed",
    cell: ({ failedMs }) => age(failedMs, nowMs),
    value: ({ failedMs }) => iso(failedMs),
  },
  text("queue", "Queue", ({ queue }) => queue),
  text("lane", "Lane", ({ lane }) => lane),
  text("problem", "Error", ({ problem }) => problem?.slice(0, 300) ?? null),
];

export const buildCallColumns = (nowMs: number): readonly Column<FailedCall>[] => [
  { key: "at", label: "When", cell: ({ atMs }) => age(atMs, nowMs), value: ({ atMs }) => iso(atMs) },
  text("call", "Call", ({ name }) => name),
  text("outcome", "Outcome", ({ outcome }) => outcome.replaceAll("_", " ")),
];

function text<Row>(key: string, label: string, value: (row: Row) => string | null): Column<Row> {
  return {
    key,
    label,
    value,
    cell: (row) => {
      const found = value(row);
      return found === null ? { text: "–", tone: "muted" } : { text: found };
    },
  };
}

const count = <Row>(key: string, label: string, value: (row: Row) => number): Column<Row> => ({
  key,
  label,
  numeric: true,
  value,
  cell: (row) => ({ text: value(row).toLocaleString("en-US") }),
});

/** The table that a query asks for as a file; null: a page. */
export const readWantedTable = ({ query }: PageAddress) => ({
  format: readFormat(query["format"]),
  table: query["table"] ?? null,
});
