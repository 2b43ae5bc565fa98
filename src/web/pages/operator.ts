import { type Context, Hono } from "hono";
import { shorten } from "../../kernel/shorten.ts";
import { formatCount, formatDuration } from "../../render/format.ts";
import { findInstallation, type ListedInstallation, listInstallations } from "../../store/installations.ts";
import { findPull } from "../../store/pulls.ts";
import { findRepositoryByName } from "../../store/repositories.ts";
import { INTERNAL_CREATOR, listTokens, revokeToken, type TokenRecord } from "../../store/tokens.ts";
import { formatPullPath, formatRepositoryPath, readAddress } from "../page/address.ts";
import { buildNameColumn, buildTextColumn, NO_VALUE } from "../page/columns.ts";
import { renderFormToken } from "../page/frame.ts";
import { formatAge, type Html, html, type IconName, icon, renderBox, renderOption } from "../page/html.ts";
import {
  answerFile,
  answerNotFound,
  answerPage,
  type DeliveryOutcome,
  type FailedCall,
  type FailedWork,
  type OperatorState,
  type PageDeps,
  type PageEnv,
  type QueueState,
} from "../page/page.ts";
import { type Column, createTable, type Table, type TableCell } from "../page/table.ts";
import type { Reader } from "../reader.ts";

const PATH = "/operator";

/** `GET /operator`: the state of the whole Tollgate, for its admins; its forms start work again or revoke a token. */
export function createOperatorPage(deps: PageDeps): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  for (const path of [PATH, `${PATH}/*`])
    app.use(path, async (context, next) => (context.var.reader.isAdmin ? next() : answerNotFound(context)));
  app.get(PATH, (context) => show(context, deps));
  for (const [name, act] of Object.entries(ACTIONS))
    app.post(`${PATH}/${name}`, async (context) => {
      const form = await context.req.parseBody();
      const read = (field: string): string =>
        typeof form[field] === "string" ? form[field].replaceAll("\0", "").trim() : "";
      const details = await act(deps, read);
      const { userId: id, login } = context.var.reader;
      if (details !== null) deps.operator.record({ id, login }, name, details);
      return context.redirect(`${PATH}?done=${details === null ? "nothing" : name}`, 303);
    });
  return app;
}

/** Does what a form asks for, and returns what to record of it; null: there is no such thing, so nothing was done. */
type Action = (deps: PageDeps, read: (field: string) => string) => Promise<object | null>;

const ACTIONS: Readonly<Record<string, Action>> = {
  evaluate: async ({ db, operator }, read) => {
    const [, owner, name, number] = /^([^/\s]+)\/([^/#\s]+)#([1-9]\d{0,8})$/.exec(read("pull")) ?? [];
    if (owner === undefined || name === undefined) return null;
    const repository = await findRepositoryByName(db, `${owner}/${name}`);
    if (repository === undefined) return null;
    const key = { repositoryId: repository.repository_id, number: Number(number) };
    if ((await findPull(db, key)) === undefined) return null;
    await operator.evaluate(key.repositoryId, key.number);
    return { repository: `${repository.owner_login}/${repository.name}`, pull: key.number };
  },
  sweep: async ({ db, operator }, read) => {
    const id = /^[1-9]\d{0,14}$/.test(read("installation")) ? Number(read("installation")) : null;
    if (id === null || (await findInstallation(db, id)) === undefined) return null;
    operator.sweep(id);
    return { installation: id };
  },
  deliver: async ({ operator }, read) => {
    const id = read("delivery");
    const { deliveries } = await operator.readState();
    if (!deliveries.some((one) => one.id === id && one.state === "failed")) return null;
    await operator.retryDelivery(id);
    return { delivery: id };
  },
  revoke: async ({ db, clock }, read) => {
    const token = read("token");
    return (await revokeToken(db, token, clock)) ? { token } : null;
  },
};

async function show(context: Context<PageEnv>, { db, clock, operator }: PageDeps): Promise<Response> {
  const address = readAddress(context.req.url);
  const nowMs = clock.now();
  const [state, installations, tokens] = await Promise.all([
    operator.readState(),
    listInstallations(db),
    listTokens(db),
  ]);
  const people = tokens.filter(({ created_by }) => created_by !== INTERNAL_CREATOR);
  const data = { state, installations, tokens: people, nowMs };
  const boxes = listBoxes(data);
  const file = await answerFile(
    context,
    boxes.map(([, , table]) => table),
    ({ name }) => `operator-${name}`,
  );
  if (file !== null) return file;
  const tables = boxes.map(async ([mark, title, table]) =>
    renderBox(mark, title, await table.render(address)),
  );
  const body = html`<h1>Operator</h1>
<p>Settings and the operator's file (<code>TOLLGATE_SETTINGS</code>) are read at the start: restart after a change. <code>tollgate doctor</code> examines them.</p>
${renderDone(address.query["done"])}
${renderParts(state)}
${renderForms(data, context.var.reader)}
${await Promise.all(tables)}`;
  return answerPage(context, { title: "Operator", trail: [{ text: "Operator", href: PATH }], body });
}

const DONE: Readonly<Record<string, string>> = {
  evaluate: "The pull request is evaluated again.",
  sweep: "The installation is read again from GitHub; new and changed pull requests follow.",
  deliver: "The delivery is handled again.",
  revoke: "The token is revoked.",
};

/** What the form that led here did. */
function renderDone(done: string | undefined): Html | null {
  const text = done === undefined || !Object.hasOwn(DONE, done) ? undefined : DONE[done];
  if (text !== undefined)
    return html`<p class="flash success" role="status">${icon("check-circle")}<span>${text}</span></p>`;
  return done === "nothing"
    ? html`<p class="flash attention" role="status">${icon("info")}<span>Nothing was done: there is no such pull request, installation, failed delivery or valid token.</span></p>`
    : null;
}

const renderParts = ({ parts, version, node, database }: OperatorState): Html => html`<ul class="stats parts">
${parts.map(({ name, health }) => {
  const isOk = health.state === "ok";
  return html`<li><span class="${isOk ? "success" : "danger"}">${icon(isOk ? "check-circle-fill" : "x-circle-fill")} <strong class="inline">${name}</strong></span><small>${health.state === "ok" ? (health.note ?? "works") : health.reason}</small></li>
`;
})}<li><span>${icon("tag")} <strong class="inline">Tollgate ${version}</strong></span><small>Node ${node}, ${database === "pglite" ? "embedded database" : "PostgreSQL"}</small></li>
</ul>`;

interface OperatorData {
  readonly state: OperatorState;
  readonly installations: readonly ListedInstallation[];
  readonly tokens: readonly TokenRecord[];
  readonly nowMs: number;
}

/** The forms that start work again; one without a choice is left out. */
function renderForms({ state, installations, tokens, nowMs }: OperatorData, reader: Reader): Html {
  const failed = state.deliveries.filter((one) => one.state === "failed");
  const valid = tokens.filter((token) => decideTokenState(token, nowMs) === "valid");
  const form = (action: keyof typeof ACTIONS, field: Html, button: Html) =>
    html`<form class="filters" method="post" action="${PATH}/${action}">${renderFormToken(reader)}<label>${field}</label>${button}</form>
`;
  const choose = (name: string, options: readonly (readonly [value: string, text: string])[]) =>
    html`<select name="${name}">${options.map(([value, text]) => renderOption(value, text, false))}</select>`;
  return renderBox(
    "sync",
    "Start again",
    html`<div class="box-body grid">
${form("evaluate", html`Evaluate a pull request <input name="pull" required placeholder="owner/name#12" pattern="[^\\/\\s]+\\/[^\\/#\\s]+#\\d+" autocomplete="off">`, html`<button>Evaluate</button>`)}
${
  installations.length > 0 &&
  form(
    "sweep",
    html`Read an installation from GitHub ${choose(
      "installation",
      installations.map(({ installation_id: id, owner_login }) => [String(id), owner_login]),
    )}`,
    html`<button>Read</button>`,
  )
}
${
  failed.length > 0 &&
  form(
    "deliver",
    html`Handle a failed delivery ${choose(
      "delivery",
      failed.map(({ id, event, repository }) => [id, `${event ?? ""} ${repository ?? ""} ${id}`]),
    )}`,
    html`<button>Handle</button>`,
  )
}
${
  valid.length > 0 &&
  form(
    "revoke",
    html`Revoke a token ${choose(
      "token",
      valid.map(({ id, name, purpose }) => [id, `${name ?? id} (${purpose})`]),
    )}`,
    html`<button class="danger">Revoke</button>`,
  )
}
</div>`,
  );
}

const listBoxes = ({
  state,
  installations,
  tokens,
  nowMs,
}: OperatorData): readonly (readonly [IconName, string, Table])[] => [
  [
    "stopwatch",
    "Queues",
    createTable({
      ...{ name: "queues", caption: "Queues", empty: "No queues." },
      ...{ columns: listQueueColumns(), rows: state.queues },
    }),
  ],
  [
    "organization",
    "Installations",
    createTable({
      ...{ name: "installations", caption: "Installations", empty: "The App is installed nowhere yet." },
      ...{ columns: listInstallationColumns(nowMs, state.pausedInstallations), rows: installations },
    }),
  ],
  [
    "download",
    "Deliveries",
    createTable({
      ...{ name: "deliveries", caption: "Newest deliveries", empty: "GitHub has delivered nothing yet." },
      ...{ columns: listDeliveryColumns(nowMs), rows: state.deliveries },
    }),
  ],
  [
    "alert",
    "Failed work",
    createTable({
      ...{ name: "work", caption: "Failed work", empty: "No work has failed every attempt." },
      ...{ columns: listWorkColumns(nowMs), rows: state.failedWork },
    }),
  ],
  [
    "link-external",
    "Failed calls to GitHub and the platform",
    createTable({
      ...{ name: "calls", caption: "Failed calls", columns: listCallColumns(nowMs), rows: state.failedCalls },
      empty: "No call of GitHub or of the platform failed since this process started.",
    }),
  ],
  [
    "key",
    "Tokens",
    createTable({
      ...{ name: "tokens", caption: "Tokens", empty: "There are no tokens." },
      ...{ columns: listTokenColumns(nowMs), rows: tokens },
    }),
  ],
];

const listQueueColumns = (): readonly Column<QueueState>[] => [
  buildTextColumn({ key: "queue", label: "Queue" }, ({ name }) => name),
  count("due", "Waiting", ({ due }) => due),
  count("scheduled", "Later", ({ scheduled }) => scheduled),
  count("active", "Running", ({ active }) => active),
  {
    ...count<QueueState>("oldest_seconds", "Oldest waits", ({ oldestDueSeconds }) =>
      Math.round(oldestDueSeconds),
    ),
    cell: ({ oldestDueSeconds: seconds, due }) =>
      due === 0
        ? NO_VALUE
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

const listDeliveryColumns = (nowMs: number): readonly Column<DeliveryOutcome>[] => [
  age("received", "Received", ({ receivedMs }) => receivedMs, nowMs),
  buildTextColumn({ key: "event", label: "Event" }, ({ event }) => event),
  {
    ...{ key: "repository", label: "About" },
    cell: ({ repository, pull }) => describeSubject(repository, pull),
    value: ({ repository, pull }) => (pull === null ? repository : `${repository}#${pull}`),
  },
  {
    ...{ key: "state", label: "Outcome" },
    cell: ({ state, problem }) => ({
      ...DELIVERY_LOOKS[state],
      ...(problem !== null && { note: shorten(problem, 300) }),
    }),
    value: ({ state }) => state,
  },
  buildIdColumn("Delivery"),
];

function describeSubject(repository: string | null, pull: number | null): TableCell {
  if (repository === null) return NO_VALUE;
  return pull === null
    ? { text: repository, href: formatRepositoryPath(repository) }
    : { text: `${repository} #${pull}`, href: formatPullPath(repository, pull) };
}

const listInstallationColumns = (
  nowMs: number,
  paused: ReadonlySet<number>,
): readonly Column<ListedInstallation>[] => [
  buildTextColumn({ key: "owner", label: "Account" }, ({ owner_login }) => owner_login),
  buildTextColumn({ key: "selection", label: "Covers" }, ({ repository_selection }) => repository_selection),
  count("repositories", "Repositories", ({ repositories }) => repositories),
  {
    ...{ key: "state", label: "State" },
    cell: ({ suspended, installation_id: id }) => {
      if (suspended) return { text: "suspended on GitHub", icon: "lock", tone: "danger" };
      if (paused.has(id))
        return { text: "waits for GitHub's rate limit", icon: "hourglass", tone: "attention" };
      return { text: "works", icon: "check", tone: "success" };
    },
    value: ({ suspended, installation_id: id }) =>
      suspended ? "suspended" : paused.has(id) ? "paused" : "works",
  },
  age("updated", "Last read", ({ updated_at }) => updated_at.getTime(), nowMs),
  {
    ...count<ListedInstallation>("id", "Id", ({ installation_id }) => installation_id),
    cell: ({ installation_id: id }) => ({ text: String(id), code: true }),
  },
];

const listTokenColumns = (nowMs: number): readonly Column<TokenRecord>[] => [
  buildTextColumn({ key: "name", label: "Name" }, ({ name, id }) => name ?? id),
  buildTextColumn({ key: "purpose", label: "For" }, ({ purpose }) => purpose),
  buildTextColumn({ key: "repository", label: "Repository" }, ({ repository }) => repository),
  {
    ...age<TokenRecord>("created", "Created", ({ created_ms }) => created_ms, nowMs),
    cell: ({ created_ms, created_by }) => ({
      text: formatAge(created_ms, nowMs),
      ...(created_by !== null && { note: `by ${created_by}` }),
    }),
  },
  age("used", "Last used", ({ last_used_ms }) => last_used_ms, nowMs),
  {
    ...{ key: "state", label: "State" },
    cell: (token) => TOKEN_LOOKS[decideTokenState(token, nowMs)],
    value: (token) => decideTokenState(token, nowMs),
  },
  buildIdColumn("Id"),
];

const TOKEN_LOOKS = {
  valid: { text: "valid", icon: "key", tone: "success" },
  expired: { text: "expired", icon: "clock", tone: "muted" },
  revoked: { text: "revoked", icon: "x", tone: "muted" },
} as const;

function decideTokenState(
  { revoked_ms, expires_ms }: Pick<TokenRecord, "revoked_ms" | "expires_ms">,
  nowMs: number,
): keyof typeof TOKEN_LOOKS {
  if (revoked_ms !== null) return "revoked";
  return expires_ms !== null && expires_ms <= nowMs ? "expired" : "valid";
}

const listWorkColumns = (nowMs: number): readonly Column<FailedWork>[] => [
  age("failed", "Failed", ({ failedMs }) => failedMs, nowMs),
  buildTextColumn({ key: "queue", label: "Queue" }, ({ queue }) => queue),
  buildTextColumn({ key: "lane", label: "Lane" }, ({ lane }) => lane),
  buildTextColumn({ key: "problem", label: "Error" }, ({ problem }) => problem && shorten(problem, 300)),
];

const listCallColumns = (nowMs: number): readonly Column<FailedCall>[] => [
  age("at", "When", ({ atMs }) => atMs, nowMs),
  buildTextColumn({ key: "call", label: "Call" }, ({ name }) => name),
  buildTextColumn({ key: "outcome", label: "Outcome" }, ({ outcome }) => outcome.replaceAll("_", " ")),
];

const buildIdColumn = <Row extends { readonly id: string }>(label: string): Column<Row> => ({
  ...buildNameColumn<Row>({ key: "id", label }, ({ id }) => id),
  sortable: false,
});

/** A column of ages; the exact times are in CSV and JSON. Null: never. */
const age = <Row>(
  key: string,
  label: string,
  read: (row: Row) => number | null,
  nowMs: number,
): Column<Row> => ({
  ...{ key, label },
  cell: (row) => {
    const ms = read(row);
    return ms === null ? { text: "never", tone: "muted" } : { text: formatAge(ms, nowMs) };
  },
  value: (row) => {
    const ms = read(row);
    return ms === null ? null : new Date(ms).toISOString();
  },
});

const count = <Row>(key: string, label: string, value: (row: Row) => number): Column<Row> => ({
  ...{ key, label, value },
  numeric: true,
  cell: (row) => ({ text: formatCount(value(row)) }),
});
