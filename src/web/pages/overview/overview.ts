import { type Context, Hono } from "hono";
import { sumSavings } from "../../../store/history/merged-changes.ts";
import { sumOpenChanges } from "../../../store/history/open-pulls.ts";
import { countReadableRepositories } from "../../../store/history/readable.ts";
import { type PageAddress, readAddress } from "../../page/address.ts";
import { answerNotFound, type PageDeps, type PageEnv } from "../../page/page.ts";
import { readFormat } from "../../page/table.ts";
import { findOwnerScope, findRepositoryScope, type PageScope } from "../scope.ts";
import { buildFilterView, type OverviewFilter, readOverviewFilter, toPullFilter } from "./filter.ts";
import { buildMergedCharts } from "./merged.ts";
import { formatSavings } from "./savings.ts";
import { createTables, type OverviewTables } from "./tables.ts";
import { buildWaitingView } from "./waiting.ts";

/** `GET /r/{owner}/{repo}` and `GET /o/{owner}`: what waits, what was merged, and what it came to. */
export const createOverviewPages = (deps: PageDeps): Hono<PageEnv> =>
  new Hono<PageEnv>()
    .get("/r/:owner/:name", async (context) => {
      const names = context.req.param();
      return answerOverview(context, deps, await findRepositoryScope(deps, context.var.reader, names));
    })
    .get("/o/:owner", async (context) => {
      const scope = await findOwnerScope(deps, context.var.reader, context.req.param("owner"));
      return answerOverview(context, deps, scope);
    });

async function answerOverview(
  context: Context<PageEnv>,
  deps: PageDeps,
  scope: PageScope | null,
): Promise<Response> {
  const { reader } = context.var;
  if (scope === null) return answerNotFound(context);
  const address = readAddress(context.req.url);
  const filter = readOverviewFilter(address.query);
  const tables = createTables(deps, { scope, filter, address });
  const format = readFormat(address.query["format"]);
  if (format !== null) {
    const name = address.query["table"] ?? "pulls";
    const table = Object.values(tables.byName).find((one) => one.name === name);
    if (table === undefined) return answerNotFound(context);
    return table.export(address, format, scope.name);
  }
  const view = await buildOverviewView(deps, { scope, filter, address }, tables);
  const page = { title: scope.name, trail: scope.trail(), tabs: scope.tabs("overview") };
  return context.html(deps.render({ ...page, template: "overview", view, reader }));
}

interface OverviewRequest {
  readonly scope: PageScope;
  readonly filter: OverviewFilter;
  readonly address: PageAddress;
}

async function buildOverviewView(
  { db, github }: PageDeps,
  { scope, filter, address }: OverviewRequest,
  { byName, listMerged, span }: OverviewTables,
) {
  const { kind, name, path, repositoryIds } = scope;
  const buildTables = Object.entries(byName).map(
    async ([key, table]) => [key, await table.buildView(address)] as const,
  );
  const [changes, repositories, merged, savings, ...tables] = await Promise.all([
    sumOpenChanges(db, toPullFilter(repositoryIds, { ...filter, verdict: null })),
    countReadableRepositories(db, repositoryIds),
    listMerged(),
    sumSavings(db, repositoryIds, span),
    ...buildTables,
  ]);
  return {
    name,
    isOrganisation: kind === "organisation",
    github: kind === "repository" ? `${github}/${name}` : null,
    repositories,
    filter: buildFilterView(filter, path),
    waiting: buildWaitingView(changes, address),
    period: `the last ${filter.period.label}`,
    isWeeksOpen: ["weeks_sort", "weeks_page"].some((member) => member in address.query),
    unknownMerges: merged.unknown,
    charts: await buildMergedCharts(merged.known, span),
    savings: formatSavings(savings),
    tables: Object.fromEntries(tables),
  };
}
