import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { type Context, Hono } from "hono";
import type { InstalledRepository } from "../../../store/installations.ts";
import { formatPullPath, type PageAddress, readAddress } from "../../page/address.ts";
import { answerNotFound, type PageDeps, type PageEnv } from "../../page/page.ts";
import { readFormat } from "../../page/table.ts";
import { POLICY_PAGE } from "../../policy-page.ts";
import { buildRepositoryTrail, findReadableRepository } from "../repository.ts";
import { type FoundPull, type PullSearch, searchPull } from "./find-pull.ts";
import { buildHead, buildPullTabs } from "./head.ts";
import { EvaluationCache } from "./subject/evaluation-cache.ts";
import {
  createMoneyStyles,
  PULL_VIEWS,
  type PullSubject,
  type PullView,
  type PullViewName,
} from "./subject/pull-subject.ts";
import { buildFactsView } from "./views/facts.ts";
import { buildHistoryView } from "./views/history.ts";
import { buildModulesView } from "./views/modules.ts";
import { buildOverview } from "./views/overview.ts";
import { buildResourceView } from "./views/resource.ts";
import { buildResourcesView } from "./views/resources.ts";
import { buildRulesView } from "./views/rules.ts";

type BuildView = (subject: PullSubject) => PullView | null | Promise<PullView | null>;

const VIEWS: Readonly<Record<PullViewName | "resource", BuildView>> = {
  overview: buildOverview,
  resources: buildResourcesView,
  resource: buildResourceView,
  modules: buildModulesView,
  rules: buildRulesView,
  facts: buildFactsView,
  history: buildHistoryView,
};

type PullPageDeps = Pick<PageDeps, "db" | "clock" | "render" | "texts" | "github" | "publicUrl">;

interface Request {
  readonly context: Context<PageEnv>;
  readonly repository: InstalledRepository;
  readonly number: number;
  readonly address: PageAddress;
}

const NUMBER = "[1-9][0-9]{0,8}";
const EVALUATION_ID = "[1-9][0-9]{0,14}";

/** `GET /r/{owner}/{name}/pull/{number}`: the newest evaluation; `…/evaluations/{id}`: another one. */
export function createPullPages(deps: PullPageDeps): Hono<PageEnv> {
  const cache = new EvaluationCache();
  const answer = async (context: Context<PageEnv>, params: PathParams) => {
    const { reader } = context.var;
    const repository = await findReadableRepository(deps, reader, params);
    if (repository === null) return answerNotFound(context);
    const number = Number(params.number);
    const evaluationId = params.id === undefined ? null : Number(params.id);
    const search = await searchPull(
      { ...deps, cache },
      { repositoryId: repository.repositoryId, number },
      evaluationId,
    );
    const request = { context, repository, number, address: readAddress(context.req.url) };
    return answerSearch(deps, request, search);
  };
  const path = `/r/:owner/:name/pull/:number{${NUMBER}}`;
  return new Hono<PageEnv>()
    .get(path, (context) => answer(context, context.req.param()))
    .get(`${path}/evaluations/:id{${EVALUATION_ID}}`, (context) => answer(context, context.req.param()));
}

interface PathParams {
  readonly owner: string;
  readonly name: string;
  readonly number: string;
  readonly id?: string;
}

function answerSearch(
  deps: PullPageDeps,
  request: Request,
  search: PullSearch,
): Response | Promise<Response> {
  if (search.state === "none") return answerNotFound(request.context);
  return search.state === "found"
    ? answerView(deps, request, search)
    : answerWithoutEvaluation(deps, request, search.state);
}

const isViewName = (name: string): name is PullViewName | "resource" =>
  name === "resource" || PULL_VIEWS.some((one) => one === name);

async function answerView(deps: PullPageDeps, request: Request, found: FoundPull): Promise<Response> {
  const { context, address } = request;
  const { reader } = context.var;
  const name = address.query["view"] ?? "overview";
  const subject = createPullSubject(deps, request, found);
  const view = isViewName(name) ? await VIEWS[name](subject) : null;
  await turnOfEventLoop(); // other requests run between sorting and rendering
  if (view === null) return answerNotFound(context);
  const format = readFormat(address.query["format"]);
  if (format !== null) {
    const table = view.tables.find(({ prefix }) => prefix === (address.query["table"] ?? ""));
    const file = `${request.repository.name}-${request.number}-${name}-${table?.view.caption.toLowerCase()}`;
    return table?.export(file, format) ?? answerNotFound(context);
  }
  const head = buildHead(subject, found);
  const tab = name === "resource" ? "resources" : PULL_VIEWS.find((one) => one === name);
  const page = {
    ...frame(request, head.title),
    tabs: buildPullTabs(subject, tab ?? null),
    template: "pull/page",
    view: { head, content: view.template, ...view.view },
    reader,
  };
  return context.html(deps.render(page));
}

function createPullSubject(
  deps: PullPageDeps,
  request: Request,
  { evaluation: found }: FoundPull,
): PullSubject {
  const { db, texts, github, clock, publicUrl } = deps;
  const { repository, number, address } = request;
  const { read, evaluationId } = found;
  return {
    ...{ db, texts, github, repository, number, address, read, evaluationId },
    evaluation: read.evaluation,
    links: { github, policyPage: `${publicUrl}${POLICY_PAGE}` },
    nowMs: clock.now(),
    money: createMoneyStyles(),
  };
}

/** Title and trail of a pull request's page. */
function frame({ repository, number }: Request, title: string) {
  const name = `${repository.owner}/${repository.name}`;
  const here = { text: `#${number}`, href: formatPullPath(name, number) };
  return { title: `${title} · ${name}#${number}`, trail: buildRepositoryTrail(repository, here) };
}

/** The page of a pull request of which there is no evaluation that can be shown. */
function answerWithoutEvaluation(
  { render, github }: PullPageDeps,
  request: Request,
  state: "not_evaluated" | "unreadable",
): Response | Promise<Response> {
  const { context, repository, number } = request;
  const href = `${github}/${repository.owner}/${repository.name}/pull/${number}`;
  const view = { state, numberText: `#${number}`, href };
  const { reader } = context.var;
  return context.html(
    render({ ...frame(request, `Pull request #${number}`), template: "pull/not-evaluated", view, reader }),
  );
}
