import { type Context, Hono } from "hono";
import { cutText } from "../../../kernel/shorten.ts";
import type { Verdict } from "../../../policy/model/finding.ts";
import type { PolicyProblem } from "../../../policy/model/policy.ts";
import type { LimitSuggestions } from "../../../policy/suggest.ts";
import { formatCount } from "../../../render/format.ts";
import { suggestFromHistory } from "../../../store/history/pull-history.ts";
import type { InstalledRepository } from "../../../store/installations.ts";
import { createBearerLimiter } from "../../bearer-limiter.ts";
import { formatPullPath } from "../../page/address.ts";
import { buildCountColumn, buildTextColumn } from "../../page/columns.ts";
import { renderFormToken } from "../../page/frame.ts";
import { type Html, html, icon, plural, renderBox } from "../../page/html.ts";
import {
  answerNotFound,
  answerTooMany,
  type BranchFiles,
  type PageDeps,
  type PageEnv,
} from "../../page/page.ts";
import { renderRows, type TableCell } from "../../page/table.ts";
import { getReaderKey, type Reader } from "../../reader.ts";
import {
  findPeriodSpan,
  PERIOD_NAMES,
  PERIODS,
  type PeriodName,
  readPeriod,
  renderPeriodChoice,
} from "../period.ts";
import { describeGroup } from "../pull/rules.ts";
import { answerTab, describeRepository, findReadableRepository } from "../scope.ts";
import { describeUnread, renderSuggestions } from "./suggestions.ts";
import {
  type ApprovalLoad,
  MAX_COMPARED,
  type PolicyComparisons,
  type PolicyTrial,
  tryPolicy,
} from "./try-policy.ts";

const POLICY_FILE = ".github/tollgate.yml";
/** Longest address that browsers and GitHub surely take, in characters. */
const MAX_ADDRESS = 6_000;
/** Longest line of a policy that a problem quotes, in characters. */
const MAX_QUOTED = 160;
/** Largest policy, in bytes, as in a repository. */
const MAX_BYTES = 64 * 1024;
/** How often a reader may open the page or try a policy. */
const PER_MINUTE = 30;
/** How many policies of a reader wait while another one is tried. */
const MAX_WAITING = 3;

const PATH = "/r/:owner/:name/policy";

/** `GET /r/…/policy`: the policy in force. `POST`: what a proposed one would have decided; nothing is stored. */
export function createPolicyPages(deps: PageDeps): Hono<PageEnv> {
  const isWithinRate = createBearerLimiter(deps.clock, PER_MINUTE);
  const takeTurn = createTurns();
  return new Hono<PageEnv>().on(["GET", "POST"], PATH, async (context) => {
    const { reader } = context.var;
    const repository = await findReadableRepository(deps, reader, context.req.param());
    if (repository === null) return answerNotFound(context);
    const key = getReaderKey(reader);
    if (!isWithinRate(key)) return answerTooMany(context);
    const form = context.req.method === "POST" ? await readProposed(context) : null;
    if (form === "too_large") return context.text(TOO_LARGE, 413);
    const asked = form === null ? context.req.query("suggest") : form.period;
    const { repositoryId } = repository;
    const answer = async (work: (page: EditedPolicy) => Promise<PolicyResult>): Promise<Response> => {
      const files = await deps.policies.readFiles(repository);
      const written = files?.repository.state === "found" ? files.repository.text : STARTER;
      const period = readPeriod(asked, PERIOD_NAMES);
      const page = { repository, files, period, text: form?.text ?? written };
      return show(context, deps, { ...page, ...(await work(page)) });
    };
    if (asked === undefined) return answer(async () => ({ trial: null }));
    const turn = takeTurn(key, () =>
      answer(async ({ files, text, period }) => {
        const span = findPeriodSpan(period, deps);
        if (form === null)
          return { trial: null, suggestions: await suggestFromHistory(deps.db, repositoryId, span) };
        const proposed = { file: POLICY_FILE, text };
        return {
          trial: files && (await tryPolicy(deps, { repositoryId, files, proposed, owner: key, span })),
        };
      }),
    );
    return turn ?? answer(async () => ({ trial: { state: "busy" } }));
  });
}

/** A reader has one policy tried at a time: what other tabs send meanwhile waits. Null: too many wait. */
function createTurns() {
  const lines = new Map<string, { newest: Promise<unknown>; length: number }>();
  return (reader: string, work: () => Promise<Response>): Promise<Response> | null => {
    const line = lines.get(reader) ?? { newest: Promise.resolve(), length: 0 };
    if (line.length > MAX_WAITING) return null;
    line.length += 1;
    lines.set(reader, line);
    const before = line.newest.catch(() => {}); // who sent it has the error
    const turn = before.then(work).finally(() => {
      line.length -= 1;
      if (line.length === 0) lines.delete(reader);
    });
    line.newest = turn;
    return turn;
  };
}

const TOO_LARGE = "A policy file may have 64 KB.\n";

/** What the text field begins with where a repository has no file. */
const STARTER = "version: 1\nrules:\n  - id: monthly-increase\n    limit: { increase: 500 USD }\n";

async function readProposed(context: Context<PageEnv>) {
  const { policy, period } = await context.req.parseBody();
  const text = (typeof policy === "string" ? policy : "").replaceAll("\r\n", "\n");
  return Buffer.byteLength(text) > MAX_BYTES ? "too_large" : { text, period: String(period) };
}

interface EditedPolicy {
  readonly repository: InstalledRepository;
  /** Null: GitHub did not return them. */
  readonly files: BranchFiles | null;
  /** As proposed, else the file in force. */
  readonly text: string;
  /** Whose pull requests are compared, or suggest limits. */
  readonly period: PeriodName;
}

/** Null and absent: nobody asked for it, or GitHub does not return the files. */
interface PolicyResult {
  readonly trial: PolicyTrial | null;
  readonly suggestions?: LimitSuggestions;
}

async function show(
  context: Context<PageEnv>,
  { github }: PageDeps,
  page: EditedPolicy & PolicyResult,
): Promise<Response> {
  const { repository, files, text, trial, period, suggestions = null } = page;
  const { reader } = context.var;
  const scope = describeRepository(repository);
  const { name } = scope;
  const editor = files === null ? null : formatEditor({ github, repository: name, files }, text);
  const body = html`<h1>Policy</h1>
${renderIntroduction(files)}
${trial !== null && renderTrial(trial, { text, repository: name, period })}
<form method="post" action="${scope.path}/policy">
${renderFormToken(reader)}
<label class="field"><span>${POLICY_FILE}</span>
<textarea name="policy" rows="24" spellcheck="false" autocomplete="off" autocapitalize="off" maxlength="65536">
${text}</textarea></label>
<div class="filters">${renderPeriodChoice({ name: "period", label: "Try it on pull requests of" }, period)}</div>
<p class="actions"><button class="primary">${icon("check-circle")}Try it</button>${editor !== null && html` <a class="button" href="${editor.href}">${icon("git-pull-request")}Open a pull request on GitHub</a>`} <a class="button" href="/docs/policy">${icon("law")}What a policy can say</a></p>
${editor !== null && html`<p class="muted">${editor.isFilled ? EDITOR_NOTES.filled : EDITOR_NOTES.asItIs}</p>`}
</form>
${renderSuggestions(suggestions, { path: scope.path, period })}
${files !== null && (await renderOrganisation(files, reader))}`;
  return answerTab(context, scope, "policy", body);
}

const EDITOR_NOTES = {
  filled:
    "GitHub's editor opens with this text. Press “Try it” after your last edit, so that the link has it.",
  asItIs:
    "GitHub's editor opens with the file as it is now: copy your text first, paste it there, then choose “Create a new branch”.",
};

function renderIntroduction(files: BranchFiles | null): Html {
  if (files === null)
    return html`<p class="flash attention">${icon("alert")}<span><strong>GitHub does not return the policy files now.</strong> Without them nothing can be compared. Your text stays below; try it again in a minute.</span></p>`;
  const branch = html`<code>${files.branch}</code>`;
  switch (files.repository.state) {
    case "found":
      return html`<p>The policy in force on ${branch} is below. Edit it and see what it would have decided; nothing is saved.</p>`;
    case "absent":
      return html`<p>This repository has no <code>${POLICY_FILE}</code> on ${branch} yet. Write one and see what it would have decided; nothing is saved.</p>`;
    case "unreadable":
      return html`<p>The policy file on ${branch} cannot be read: it is a link, a folder, too large or no text. Write a new one and see what it would have decided.</p>`;
  }
}

/** The organisation's file applies to people who may not read it: they are told that there is one, as in comments. */
async function renderOrganisation(
  { organisation, organisationRepositoryId: id }: BranchFiles,
  reader: Reader,
): Promise<Html | null> {
  if (organisation.state === "absent") return null;
  const isFound = organisation.state === "found";
  if (isFound && id !== null && (await reader.canRead(id))) {
    const text = html`<div class="box-body"><p>It applies to this repository too; a mandatory rule in it cannot be loosened here.</p><pre tabindex="0"><code>${organisation.text}</code></pre></div>`;
    return renderBox("organization", html`<bdi>${organisation.name}</bdi>`, text);
  }
  const why = isFound
    ? "It applies to this repository too, and counts above. You cannot read its repository on GitHub, so its text is not shown."
    : "It may apply to this repository too, but it cannot be read.";
  return renderBox("organization", "The organisation's policy", html`<p class="blank">${why}</p>`);
}

interface TriedPolicy extends Pick<EditedPolicy, "text" | "period"> {
  /** `owner/name`. */
  readonly repository: string;
}

function renderTrial(trial: PolicyTrial, tried: TriedPolicy): Html {
  switch (trial.state) {
    case "busy":
      return html`<p class="flash attention" role="status">${icon("hourglass")}<span><strong>Many policies are being tried now.</strong> Try it again in a minute.</span></p>`;
    case "invalid":
      return renderProblems(trial.problems, tried.text);
    case "valid":
      return html`<section class="box" role="status">
<h2 class="box-title success">${icon("check-circle-fill")}This policy is valid</h2>
${
  trial.comparison === null
    ? html`<div class="box-body"><p>The policy in force has mistakes, so there is nothing to compare with. Every pull request is held back until they are corrected.</p></div>`
    : renderComparison(trial.comparison, tried)
}
</section>`;
  }
}

/** Mistakes of the organisation's file are only counted: the reader may not be allowed to see it. */
function renderProblems(problems: readonly PolicyProblem[], text: string): Html {
  const own = problems.filter(({ file }) => file === POLICY_FILE);
  const others = problems.length - own.length;
  return html`<section class="box" role="status">
<h2 class="box-title danger">${icon("x-circle-fill")}${
    own.length > 0
      ? `${formatCount(own.length)} ${plural(own.length, "mistake", "mistakes")}`
      : "The organisation's policy has mistakes"
  }</h2>
${
  own.length > 0 &&
  html`<ol class="rows problems">
${own.map((problem) => renderPolicyProblem(problem, text))}</ol>`
}
${others > 0 && html`<p class="blank">The organisation's file has ${formatCount(others)} ${plural(others, "mistake", "mistakes")}. Ask its owners to correct ${plural(others, "it", "them")}.</p>`}
</section>`;
}

/** A mistake with the line that it is in. */
function renderPolicyProblem({ line, column, path, message }: PolicyProblem, text: string): Html {
  const source = cutText(text.split("\n")[line - 1] ?? "", MAX_QUOTED).trimEnd();
  return html`<li><span class="place">${line}:${column}</span><div><p>${path && html`<code>${path}</code> `}${message}</p>${source && html`<pre><code>${source}</code></pre>`}</div></li>
`;
}

function renderComparison(comparison: PolicyComparisons, { repository, period }: TriedPolicy): Html {
  const { difference, changed, hidden, unread, cutOff, approvals } = comparison;
  const differences = renderDifferences(difference);
  return html`<div class="box-body">
${differences.length > 0 ? differences : html`<p>It says the same as the policy in force.</p>`}
<p>${renderOutcome(comparison, period)}${cutOff !== null && CUT_OFF[cutOff]}${
    hidden > 0 &&
    ` ${formatCount(hidden)} ${plural(hidden, "is", "are")} left out, because readers of this repository may not see figures, and the outcomes under other limits would reveal them.`
  }${unread > 0 && ` ${describeUnread(unread)}`}</p>
</div>
${changed.length > 0 && renderChangedPulls(changed, repository)}
${approvals.length > 0 && renderApprovals(approvals, repository)}`;
}

const CUT_OFF = {
  slow: " The others would take too long to compare: make conditions and patterns shorter.",
  many: ` Those are the newest: at most ${formatCount(MAX_COMPARED)} are compared.`,
};

function renderOutcome({ compared, changed, hidden }: PolicyComparisons, period: PeriodName): Html | string {
  if (compared === 0)
    return hidden > 0
      ? "No pull request can be compared."
      : `There is no evaluated pull request of ${PERIODS[period]} to compare with.`;
  const pulls = `${formatCount(compared)} pull ${plural(compared, "request", "requests")} of ${PERIODS[period]}`;
  return changed.length > 0
    ? html`Of ${pulls}, <strong>${formatCount(changed.length)} would have another outcome</strong>, approvals aside:`
    : `${pulls} would have the same outcome, approvals aside.`;
}

const PARTS: Readonly<Record<string, string>> = {
  expect: "expected executions",
  stages: "names of stages",
  checkNames: "names of the check",
  comment: "comments",
  tags: "required tags",
  byTag: "the tag that divides the cost",
  showsYear: "the cost until the end of the fiscal year",
};

function renderDifferences(difference: PolicyComparisons["difference"]): readonly Html[] {
  const { addedRules, changedRules, removedRules, addedWaivers, removedWaivers, otherParts } = difference;
  const rows = [
    ["New rules:", addedRules],
    ["Changed rules:", changedRules],
    ["Removed rules:", removedRules],
    ["Waivers added for:", addedWaivers],
    ["Waivers removed from:", removedWaivers],
    ["Changed too:", otherParts.map((part) => PARTS[part] ?? part)],
  ] as const;
  return rows
    .filter(([, names]) => names.length > 0)
    .map(
      ([words, names]) =>
        html`<p>${words} ${names.map((name) => html`<span class="label"><bdi>${name}</bdi></span> `)}</p>
`,
    );
}

/** Whom the edited policy would have asked. */
const renderApprovals = (approvals: readonly ApprovalLoad[], repository: string): Html =>
  renderRows<ApprovalLoad>({
    caption: "Approvals that it would have asked for",
    columns: [
      buildTextColumn({ key: "group", label: "Would have had to approve" }, ({ group }) =>
        group.codeowners
          ? "code owners of the changed files"
          : describeGroup(group, { pull: { repository } }),
      ),
      buildCountColumn({ key: "pulls", label: "Pull requests" }, ({ pulls }) => pulls),
      buildCountColumn({ key: "approvals", label: "Approvals" }, ({ approvals: count }) => count),
    ],
    rows: approvals,
  });

type ChangedPull = PolicyComparisons["changed"][number];

const renderChangedPulls = (changed: readonly ChangedPull[], repository: string): Html =>
  renderRows({
    caption: "Pull requests with another outcome",
    columns: [
      {
        ...{ key: "number", label: "Pull request" },
        cell: ({ number }) => ({ text: `#${number}`, href: formatPullPath(repository, number) }),
        value: ({ number }) => number,
      },
      { key: "now", label: "Now", cell: ({ from }) => VERDICTS[from], value: ({ from }) => from },
      { key: "then", label: "With this policy", cell: ({ to }) => VERDICTS[to], value: ({ to }) => to },
    ],
    rows: changed,
  });

const VERDICTS: Readonly<Record<Verdict["kind"], TableCell>> = {
  pass: { text: "Passed", icon: "check-circle-fill", tone: "success" },
  warn: { text: "Passed with warnings", icon: "alert-fill", tone: "attention" },
  block: { text: "Blocked", icon: "x-circle-fill", tone: "danger" },
  undecided: { text: "Undecided", icon: "question", tone: "danger" },
};

/**
 * Returns the address of GitHub's editor for the policy file. GitHub takes the text of a new file from the address, where it is short
 * enough (`isFilled`), and never that of an existing one.
 */
function formatEditor(
  {
    github,
    repository,
    files,
  }: { readonly github: string; readonly repository: string; readonly files: BranchFiles },
  text: string,
): { readonly href: string; readonly isFilled: boolean } {
  const branch = files.branch.split("/").map(encodeURIComponent).join("/");
  const root = `${github}/${repository}`;
  if (files.repository.state !== "absent")
    return { href: `${root}/edit/${branch}/${POLICY_FILE}`, isFilled: false };
  const start = `${root}/new/${branch}?${new URLSearchParams({ filename: POLICY_FILE })}`;
  const filled = `${start}&${new URLSearchParams({ value: text })}`;
  return filled.length <= MAX_ADDRESS ? { href: filled, isFilled: true } : { href: start, isFilled: false };
}
