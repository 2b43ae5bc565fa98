import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { type Context, Hono } from "hono";
import type { Selectable } from "kysely";
import type { PullKey } from "../../../kernel/ids.ts";
import { findCommitAddress } from "../../../render/addresses.ts";
import { formatDecision } from "../../../store/evaluations.ts";
import {
  type EvaluationTimes,
  type EvaluationVersion,
  findEvaluationVersion,
  findPullEvaluation,
} from "../../../store/history/pull-history.ts";
import type { InstalledRepository } from "../../../store/installations.ts";
import { findPull } from "../../../store/pulls.ts";
import type { Tables } from "../../../store/tables/tables.ts";
import { formatPullPath, type PageAddress, readAddress } from "../../page/address.ts";
import { type PageTab, renderProblem } from "../../page/frame.ts";
import {
  type Html,
  html,
  type IconName,
  icon,
  type Label,
  renderLabel,
  renderTime,
} from "../../page/html.ts";
import { answerFile, answerNotFound, answerPage, type PageDeps, type PageEnv } from "../../page/page.ts";
import { POLICY_REFERENCE } from "../../policy-reference.ts";
import { describeRepository, findReadableRepository } from "../scope.ts";
import { renderFacts } from "./facts.ts";
import { renderHistory } from "./history.ts";
import { renderModules } from "./modules.ts";
import { renderPullOverview } from "./overview.ts";
import {
  createEvaluationCache,
  type EvaluationCache,
  getDecisionLabel,
  type IndexedEvaluation,
  indexEvaluation,
  linkToView,
  PULL_VIEWS,
  type PullSubject,
  type PullView,
  type PullViewName,
} from "./pull-subject.ts";
import { renderResource, renderResources } from "./resources.ts";
import { renderRules } from "./rules.ts";

type RenderView = (subject: PullSubject) => Promise<PullView | null>;

const VIEWS: Readonly<Record<PullViewName | "resource", RenderView>> = {
  overview: renderPullOverview,
  resources: renderResources,
  resource: renderResource,
  modules: renderModules,
  rules: renderRules,
  facts: renderFacts,
  history: renderHistory,
};

type PullPageDeps = Pick<PageDeps, "db" | "clock" | "texts" | "github" | "publicUrl">;

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
  const cache = createEvaluationCache();
  const answer = async (context: Context<PageEnv>, { number: text, id, ...names }: PathParams) => {
    const repository = await findReadableRepository(deps, context.var.reader, names);
    if (repository === null) return answerNotFound(context);
    const number = Number(text);
    const key = { repositoryId: repository.repositoryId, number };
    const request = { context, repository, number, address: readAddress(context.req.url) };
    const [pull = null, version] = await Promise.all([
      findPull(deps.db, key),
      findEvaluationVersion(deps.db, key, id === undefined ? null : Number(id)),
    ]);
    if (version === null)
      return pull === null || id !== undefined
        ? answerNotFound(context)
        : answerWithoutEvaluation(deps, request, "not_evaluated");
    const indexed = await readEvaluation({ db: deps.db, cache }, key, version);
    return indexed === null
      ? answerWithoutEvaluation(deps, request, "unreadable")
      : answerView(deps, request, { pull, indexed, times: version });
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

const isViewName = (name: string): name is PullViewName | "resource" =>
  name === "resource" || PULL_VIEWS.some((one) => one === name);

async function answerView(deps: PullPageDeps, request: Request, found: FoundPull): Promise<Response> {
  const { context, address } = request;
  const name = address.query["view"] ?? "overview";
  const subject = createPullSubject(deps, request, found);
  const view = isViewName(name) ? await VIEWS[name](subject) : null;
  await turnOfEventLoop(); // other requests run between sorting and rendering
  if (view === null) return answerNotFound(context);
  const file = await answerFile(
    context,
    view.tables,
    ({ caption }) => `${request.repository.name}-${request.number}-${name}-${caption.toLowerCase()}`,
  );
  if (file !== null) return file;
  const tab = name === "resource" ? "resources" : PULL_VIEWS.find((one) => one === name);
  return answerPage(context, {
    ...frame(request, found.pull?.title ?? `Pull request #${request.number}`),
    tabs: buildPullTabs(subject, tab ?? null),
    body: html`${renderHead(subject, found)}
${view.body}`,
  });
}

const createPullSubject = (
  { db, texts, github, clock, publicUrl }: PullPageDeps,
  { repository, number, address }: Request,
  { pull, indexed, times: { evaluationId } }: FoundPull,
): PullSubject => ({
  isEnded: pull?.state === "closed",
  ...{ db, texts, github, repository, number, address, indexed, evaluationId },
  evaluation: indexed.evaluation,
  links: { github, policyPage: `${publicUrl}${POLICY_REFERENCE}` },
  nowMs: clock.now(),
});

function frame({ repository, number }: Request, title: string) {
  const { name, trail } = describeRepository(repository);
  const here = { text: `#${number}`, href: formatPullPath(name, number) };
  return { title: `${title} · ${name}#${number}`, trail: [...trail, here] };
}

function answerWithoutEvaluation(
  { github }: PullPageDeps,
  request: Request,
  state: "not_evaluated" | "unreadable",
): Response {
  const { context, repository, number } = request;
  const link = html`<p><a class="button" href="${github}/${repository.owner}/${repository.name}/pull/${number}">${icon("mark-github")}Open it on GitHub</a></p>`;
  const body =
    state === "unreadable"
      ? renderProblem(
          "This evaluation cannot be read",
          html`<p>It was stored by another version of Tollgate, or it is damaged. Comment <code>/tollgate recheck</code> on the pull request: it is then evaluated again.</p>
${link}`,
        )
      : renderProblem(
          "Not evaluated yet",
          html`<p>Tollgate knows pull request #${number} and has no evaluation of it. It appears here by itself when there is one.</p>
${link}`,
        );
  return answerPage(context, { ...frame(request, `Pull request #${number}`), body });
}

interface FoundPull {
  /** What is known of the pull request beside its evaluations; null: only its evaluation is stored. */
  readonly pull: Selectable<Tables["pulls"]> | null;
  readonly indexed: IndexedEvaluation;
  readonly times: EvaluationTimes;
}

/** Null: the evaluation cannot be read: a newer version wrote it, or it is damaged. */
async function readEvaluation(
  { db, cache }: Pick<PageDeps, "db"> & { readonly cache: EvaluationCache },
  key: PullKey,
  { version, evaluationId }: EvaluationVersion,
): Promise<IndexedEvaluation | null> {
  const cacheKey = `${key.repositoryId} ${key.number} ${version}`;
  const known = cache.get(cacheKey);
  if (known !== undefined) return known;
  const found = await findPullEvaluation(db, key, evaluationId);
  if (found === null) return null;
  await turnOfEventLoop(); // other requests wait neither for this nor for the views of it
  const indexed = indexEvaluation(found.stored.evaluation);
  cache.set(cacheKey, indexed);
  return indexed;
}

const TABS: readonly (readonly [PullViewName, string, IconName])[] = [
  ["overview", "Overview", "law"],
  ["resources", "Resources", "table"],
  ["modules", "Modules", "repo"],
  ["rules", "Rules", "shield-check"],
  ["facts", "Facts", "info"],
  ["history", "History", "history"],
];

/** The tabs of a pull request's page; `current` null: a page inside of one. */
const buildPullTabs = (
  { address }: Pick<PullSubject, "address">,
  current: PullViewName | null,
): readonly PageTab[] =>
  TABS.map(([name, text, icon]) => ({
    text,
    icon,
    href: linkToView(address, name),
    current: name === current,
  }));

/** What GitHub says of the pull request itself. */
function choosePullState(pull: Selectable<Tables["pulls"]>): Label {
  if (pull.merged_at !== null) return { text: "Merged", icon: "git-merge", tone: "done" };
  if (pull.state === "closed") return { text: "Closed", icon: "git-pull-request-closed", tone: "danger" };
  if (pull.is_draft === true) return { text: "Draft", icon: "git-pull-request-draft", tone: "muted" };
  return { text: "Open", icon: "git-pull-request", tone: "success" };
}

/** The label of an ended pull request: nobody is to approve it any more. */
const getLastLabel = (evaluation: PullSubject["evaluation"]): Label =>
  formatDecision(evaluation.check) === "action_required"
    ? { text: "Not approved", icon: "x-circle-fill", tone: "danger" }
    : getDecisionLabel(evaluation);

function renderHead(subject: PullSubject, { pull, times: { begunAt, endedAt } }: FoundPull): Html {
  const { evaluation, repository, number, github, nowMs } = subject;
  const { headSha, baseRef } = evaluation.pull;
  const name = `${repository.owner}/${repository.name}`;
  const author = pull?.author_login ?? evaluation.context.author;
  const commit = html`<code>${headSha.slice(0, 8)}</code>`;
  const address = findCommitAddress(evaluation, subject.links);
  return html`<div class="pull-head">
<h1><bdi>${pull?.title ?? `Pull request #${number}`}</bdi> <a class="plain-link" href="${github}/${name}/pull/${number}">#${number}</a></h1>
<p class="meta">
${pull !== null && renderLabel(choosePullState(pull))}
${renderLabel(subject.isEnded ? getLastLabel(evaluation) : getDecisionLabel(evaluation))}
<span>${author && `by ${author} · `}${address === null ? commit : html`<a href="${address}">${commit}</a>`} into <code>${baseRef}</code></span>
<span>Evaluated ${renderTime(begunAt.getTime(), nowMs)}</span>
</p>
</div>
${endedAt !== null && html`<p class="flash attention">${icon("history")}<span>This is an earlier evaluation; another one followed ${renderTime(endedAt.getTime(), nowMs)}. <a href="${formatPullPath(name, number)}">Show the newest evaluation</a></span></p>`}
${endedAt === null && pull !== null && pull.head_sha !== headSha && html`<p class="flash attention">${icon("sync")}<span>There is a newer commit, which has no evaluation yet.</span></p>`}`;
}
