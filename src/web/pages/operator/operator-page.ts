import { type Context, Hono } from "hono";
import { findInstallation, findRepositoryByName, listInstallations } from "../../../store/installations.ts";
import { findPull } from "../../../store/pulls.ts";
import { INTERNAL_CREATOR, listTokens, revokeToken, type TokenRecord } from "../../../store/tokens.ts";
import type { OperatorState } from "../../operator-access.ts";
import { readAddress } from "../../page/address.ts";
import { answerNotFound, type PageDeps, type PageEnv } from "../../page/page.ts";
import { buildSortedTable, type PageTable } from "../../page/sorted-table.ts";
import {
  buildCallColumns,
  buildDeliveryColumns,
  buildInstallationColumns,
  buildQueueColumns,
  buildTokenColumns,
  buildWorkColumns,
  decideTokenState,
  readWantedTable,
} from "./operator-tables.ts";

const PATH = "/operator";

/** `GET /operator`: the state of the whole Tollgate, for its admins; its forms start work again or revoke a token. */
export function createOperatorPage(deps: PageDeps): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  for (const path of [PATH, `${PATH}/*`])
    app.use(path, async (context, next) => {
      const { reader } = context.var;
      return reader.isAdmin ? next() : answerNotFound(context);
    });
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
    const repository = await findRepositoryByName(db, { owner, name });
    if (repository === null) return null;
    const key = { repositoryId: repository.repositoryId, number: Number(number) };
    if ((await findPull(db, key)) === undefined) return null;
    await operator.evaluate(key.repositoryId, key.number);
    return { repository: `${repository.owner}/${repository.name}`, pull: key.number };
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

async function show(context: Context<PageEnv>, deps: PageDeps): Promise<Response> {
  const { db, clock, render, operator } = deps;
  const address = readAddress(context.req.url);
  const nowMs = clock.now();
  const [state, installations, tokens] = await Promise.all([
    operator.readState(),
    listInstallations(db),
    listTokens(db),
  ]);
  const people = tokens.filter(({ created_by }) => created_by !== INTERNAL_CREATOR);
  const tables = buildTables({ state, installations, tokens: people, address, nowMs });
  const { format, table } = readWantedTable(address);
  if (format !== null) {
    const wanted = Object.values(tables).find(({ prefix }) => prefix === table);
    return wanted?.export(`operator-${wanted.prefix}`.replace(/-$/, ""), format) ?? answerNotFound(context);
  }
  const view = {
    done: DONE.has(address.query["done"] ?? "") ? address.query["done"] : null,
    ...{ version: state.version, node: state.node, database: state.database },
    parts: state.parts.map(({ name, health }) => ({
      name,
      isOk: health.state === "ok",
      note: health.state === "ok" ? (health.note ?? null) : health.reason,
    })),
    tables: Object.fromEntries(Object.entries(tables).map(([name, { view: own }]) => [name, own])),
    installations: installations.map(({ installation_id, owner_login }) => ({
      id: installation_id,
      owner: owner_login,
    })),
    failedDeliveries: state.deliveries.filter((one) => one.state === "failed"),
    validTokens: people
      .filter((token) => decideTokenState(token, nowMs) === "valid")
      .map(({ id, name, purpose }) => ({ id, name: name ?? id, purpose })),
  };
  const { reader } = context.var;
  const trail = [{ text: "Operator", href: PATH }];
  return context.html(render({ title: "Operator", trail, template: "operator", view, reader }));
}

const DONE: ReadonlySet<string> = new Set([...Object.keys(ACTIONS), "nothing"]);

interface OperatorData {
  readonly state: OperatorState;
  readonly installations: Awaited<ReturnType<typeof listInstallations>>;
  readonly tokens: readonly TokenRecord[];
  readonly address: ReturnType<typeof readAddress>;
  readonly nowMs: number;
}

function buildTables({
  state,
  installations,
  tokens,
  address,
  nowMs,
}: OperatorData): Readonly<Record<string, PageTable>> {
  const { queues, deliveries, failedWork, failedCalls, pausedInstallations } = state;
  return {
    queues: buildSortedTable(
      {
        prefix: "queues-",
        caption: "Queues",
        columns: buildQueueColumns(),
        rows: queues,
        empty: "No queues.",
      },
      address,
    ),
    installations: buildSortedTable(
      {
        ...{ prefix: "installations-", caption: "Installations", rows: installations },
        columns: buildInstallationColumns(nowMs, pausedInstallations),
        empty: "The App is installed nowhere yet.",
      },
      address,
    ),
    deliveries: buildSortedTable(
      {
        ...{ prefix: "deliveries-", caption: "Newest deliveries", rows: deliveries },
        columns: buildDeliveryColumns(nowMs),
        empty: "GitHub has delivered nothing yet.",
      },
      address,
    ),
    work: buildSortedTable(
      {
        ...{ prefix: "work-", caption: "Failed work", rows: failedWork },
        columns: buildWorkColumns(nowMs),
        empty: "No work has failed every attempt.",
      },
      address,
    ),
    calls: buildSortedTable(
      {
        ...{ prefix: "calls-", caption: "Failed calls", rows: failedCalls },
        columns: buildCallColumns(nowMs),
        empty: "No call of GitHub or of the platform failed since this process started.",
      },
      address,
    ),
    tokens: buildSortedTable(
      {
        ...{ prefix: "tokens-", caption: "Tokens", rows: tokens },
        columns: buildTokenColumns(nowMs),
        empty: "There are no tokens.",
      },
      address,
    ),
  };
}
