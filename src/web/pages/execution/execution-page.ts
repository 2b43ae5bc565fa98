import { type Context, Hono } from "hono";
import { type ExecutionRef, isPlatformId, isScopeName, type Sha } from "../../../kernel/ids.ts";
import { BARE_EVALUATION, type Evaluation } from "../../../policy/model/evaluation.ts";
import { shortenId } from "../../../render/format.ts";
import { listHeadPulls } from "../../../store/pulls.ts";
import {
  formatExecutionPath,
  formatPullPath,
  formatRepositoryPath,
  readAddress,
} from "../../page/address.ts";
import { joinWords } from "../../page/columns.ts";
import { type Html, html, plural, renderBox, renderLabel, renderTime } from "../../page/html.ts";
import { renderMarkdown } from "../../page/markdown.ts";
import {
  answerFile,
  answerNotFound,
  answerPage,
  type FoundExecution,
  type PageDeps,
  type PageEnv,
} from "../../page/page.ts";
import { POLICY_REFERENCE } from "../../policy-reference.ts";
import { renderModules } from "../pull/modules.ts";
import {
  createStageTable,
  renderChanges,
  renderFirstResources,
  renderTotals,
  STATUS_LABELS,
} from "../pull/overview.ts";
import { indexEvaluation, linkToView, type PullView, type ReportSubject } from "../pull/pull-subject.ts";
import { renderResource, renderResources } from "../pull/resources.ts";
import { describeRepository } from "../scope.ts";

interface ExecutionSubject extends ReportSubject, Pick<PageDeps, "db" | "github"> {
  readonly execution: ExecutionRef;
  readonly found: FoundExecution;
  /** `owner/name` */
  readonly repository: string;
  readonly nowMs: number;
}

const TABS = [
  ["overview", "Overview", "graph"],
  ["resources", "Resources", "table"],
  ["modules", "Modules", "repo"],
] as const;

const VIEWS: Readonly<Record<string, (subject: ExecutionSubject) => Promise<PullView | null>>> = {
  ...{ overview: renderOverview, modules: renderModules },
  ...{ resources: renderResources, resource: renderResource },
};

/**
 * `GET /executions/{org}/{project}/{execution}`, and one stage of it below: what an execution of the embedded platform costs and changes.
 * The URL that a status names leads there, too.
 */
export function createExecutionPages(deps: PageDeps): Hono<PageEnv> {
  const { executions } = deps;
  if (executions === null) return new Hono<PageEnv>();
  const answer = async (context: Context<PageEnv>, execution: ExecutionRef, stage?: string) => {
    const { org, project, executionId } = execution;
    if (![org, project].every(isScopeName) || !isPlatformId(executionId)) return answerNotFound(context);
    const found = await executions.find(execution, stage ?? null, context.var.reader.canRead);
    return (found && (await answerView(deps, context, { execution, found }))) ?? answerNotFound(context);
  };
  const path = "/executions/:org/:project/:executionId";
  return new Hono<PageEnv>()
    .get(path, (context) => answer(context, context.req.param()))
    .get(`${path}/:stage`, (context) => answer(context, context.req.param(), context.req.param("stage")))
    .get("/ng/account/*", (context) => {
      const execution = executions.parseUrl(deps.publicUrl + readAddress(context.req.url).path);
      return execution === null
        ? answerNotFound(context)
        : context.redirect(formatExecutionPath(execution), 302);
    });
}

async function answerView(
  { db, texts, github, publicUrl, clock }: PageDeps,
  context: Context<PageEnv>,
  { execution, found }: Pick<ExecutionSubject, "execution" | "found">,
): Promise<Response | null> {
  const { owner_login: owner, name, repository_id: repositoryId } = found.repository;
  const { trail, name: repository } = describeRepository({ owner, name, repositoryId });
  const evaluation = buildEvaluation(found, repository);
  const subject: ExecutionSubject = {
    ...{ db, texts, github, execution, found, repository, evaluation, nowMs: clock.now() },
    address: readAddress(context.req.url),
    links: { github, policyPage: `${publicUrl}${POLICY_REFERENCE}` },
    indexed: indexEvaluation(evaluation),
  };
  const shown = subject.address.query["view"] ?? "overview";
  const view = await VIEWS[shown]?.(subject);
  if (view == null) return null;
  const title = `Execution ${shortenId(execution.executionId)}`;
  const file = await answerFile(context, view.tables, ({ caption }) => `${title}-${caption}`.toLowerCase());
  if (file !== null) return file;
  const tabs = TABS.map(([tab, text, icon]) => ({
    ...{ text, icon, href: linkToView(subject.address, tab) },
    current: tab === (shown === "resource" ? "resources" : shown),
  }));
  const body = html`${renderHead(subject)}
${view.body}`;
  const here = { text: title, href: subject.address.path };
  return answerPage(context, { title: `${title} · ${repository}`, trail: [...trail, here], tabs, body });
}

/** An evaluation without a pull request, for the views of the report. Without a commit, nothing is known to stand in the code. */
function buildEvaluation({ report, shas, repository }: FoundExecution, name: string): Evaluation {
  const place = { number: 0, baseRef: "", draft: false };
  const unstated = { author: null, labels: null, paths: [], pathsComplete: false, budgetUse: null };
  const pull = {
    ...{ ...place, repositoryId: repository.repository_id, figures: repository.figures === true },
    repository: shas.length === 0 ? "" : name,
    headSha: (shas[0] ?? "") as Sha, // recorded commits are full ids, and no link has an empty one
  };
  return { ...BARE_EVALUATION, pull, report, context: { ...place, ...unstated, nowMs: 0 } };
}

function renderHead({ execution: { executionId: id }, found, nowMs }: ExecutionSubject): Html {
  const { pipeline, createdMs, report } = found;
  const worst = (["failed", "pending", "unknown"] as const).find((status) =>
    report.stages.some((stage) => stage.status === status),
  );
  return html`<div class="pull-head">
<h1>Execution of <bdi>${pipeline}</bdi> <code title="${id}">${shortenId(id)}</code></h1>
<p class="meta">${renderLabel(STATUS_LABELS[worst ?? "succeeded"])}
<span>Recorded ${renderTime(createdMs, nowMs)}</span></p>
</div>`;
}

async function renderOverview(subject: ExecutionSubject): Promise<PullView> {
  const { evaluation, texts, links, address } = subject;
  const { report, pull } = evaluation;
  const stages = createStageTable(subject, () => "");
  const renderSection = (part: "costNotes" | "planNotes"): Html | false => {
    const text = texts.renderSection(evaluation, part, links);
    return text !== "" && html`<div class="box-body markdown">${renderMarkdown(text)}</div>`;
  };
  const planNotes = renderSection("planNotes");
  const title = pull.figures ? "Cost per month by stage" : "Stages";
  const body = html`<ul class="stats">
${renderTotals(subject)}
<li><span class="muted">Resources</span>
${renderChanges(report)}
</li></ul>
${report.stages.length > 0 && renderBox("stopwatch", title, [await stages.render(address), renderSection("costNotes")])}
${renderFirstResources(subject)}
${planNotes && html`<section class="box">${planNotes}</section>`}
${renderBox("history", "Where it is from", await renderOrigin(subject))}`;
  return { body, tables: [stages] };
}

/** Most pull requests that are named, the newest first. */
const MAX_PULLS = 10;

async function renderOrigin({ db, execution, found, repository, github }: ExecutionSubject): Promise<Html> {
  const { shas, writers, report } = found;
  const pulls = await listHeadPulls(db, found.repository.repository_id, shas, MAX_PULLS);
  const unplanned = (report.nothingToPlan ?? []).map(({ workspace, by }) => `${workspace}, stated by ${by}`);
  return html`<dl class="box-body facts">
<dt>Repository</dt><dd><a href="${formatRepositoryPath(repository)}">${repository}</a></dd>
<dt>${plural(shas.length, "Commit", "Commits")}</dt><dd>${shas.length === 0 && "none recorded"}${shas.map((sha) => html`<a href="${github}/${repository}/commit/${sha}"><code>${shortenId(sha)}</code></a> `)}</dd>
<dt>Pull requests</dt><dd>${pulls.length === 0 && "none"}${pulls.map(({ number, title }) => html`<a href="${formatPullPath(repository, number)}">#${number}${title !== null && ` ${title}`}</a><br>`)}</dd>
${writers.length > 0 && html`<dt>Recorded by</dt><dd>${joinWords(writers)}</dd>`}
${unplanned.length > 0 && html`<dt>Nothing to plan</dt><dd>${joinWords(unplanned)}</dd>`}
<dt>Project</dt><dd>${execution.org} / ${execution.project}</dd>
<dt>Execution</dt><dd><code>${execution.executionId}</code></dd>
</dl>`;
}
