import { html, raw } from "hono/html";
import { selectNewestRuns } from "../resources/check-runs.ts";
import { type References, renderMarkdown } from "../resources/markdown.ts";
import { listMergeObstacles, listRequiredChecks } from "../resources/merge-rule.ts";
import { selectNewestStatuses } from "../resources/statuses.ts";
import {
  countLines,
  listCommitsBetween,
  listPullChanges,
  readSnapshot,
  readTextLines,
} from "../state/git.ts";
import type { Account, CheckRun, SandboxComment, SandboxPull, Status } from "../state/records.ts";
import {
  buildCommitKey,
  buildPullKey,
  findAccount,
  findPull,
  findTeam,
  getFullName,
  getObjects,
  type World,
} from "../state/world.ts";
import { type Html, ICON, layout, moment } from "./layout.ts";

const REFRESH_S = 3;

/** Renders the page of a pull request. */
export function pullPageHtml(world: World, pull: SandboxPull): Html {
  const name = getFullName(world, world.repositories.require(pull.repositoryId));
  const lines = checkLines(world, pull);
  const unfinished = lines.some((line) => line.state === "running" || line.state === "waiting");
  return layout({
    title: `${pull.title} · ${name}#${pull.number}`,
    crumbs: html`${name.split("/")[0] ?? ""} <span class="quiet">/</span> <b>${name.split("/")[1] ?? ""}</b>`,
    ...(unfinished && pull.state === "open" && { refresh: REFRESH_S }),
    body: html`${heading(world, pull)}
<div class="timeline">
${conversation(world, pull)}
</div>
${mergeBox(world, pull, lines)}
${annotatedFiles(world, pull, lines)}
${lines.map((line) => checkDetail(world, pull, line))}`,
  });
}

/** Returns the label and colour of a pull request's state. */
export function getStateMark(pull: SandboxPull): { readonly icon: keyof typeof ICON; readonly word: string } {
  if (pull.mergedAt !== null) return { icon: "merged", word: "Merged" };
  if (pull.state === "closed") return { icon: "closed", word: "Closed" };
  return pull.draft ? { icon: "draft", word: "Draft" } : { icon: "open", word: "Open" };
}

function heading(world: World, pull: SandboxPull): Html {
  const state = getStateMark(pull);
  const objects = getObjects(world, world.repositories.require(pull.repositoryId));
  const commits = listCommitsBetween(objects, pull.baseSha, pull.headSha).length;
  const changes = listPullChanges(objects, pull);
  const { additions, deletions } = countLines(changes);
  const fork = pull.headRepositoryId !== pull.repositoryId;
  const owner = world.accounts.require(pull.headOwnerId).login;
  const author = world.accounts.require(pull.authorId).login;
  return html`<div class="heading">
<h1>${pull.title} <span class="quiet">#${pull.number}</span></h1>
<p><span class="pill ${state.icon}">${ICON[state.icon]} ${state.word}</span>
<span class="quiet"><b>${author}</b> ${pull.mergedAt === null ? "wants to merge" : "merged"} ${count(commits, "commit")} into <code>${pull.baseRef}</code> from <code>${fork && `${owner}:`}${pull.headRef}</code></span></p>
<p class="quiet facts"><span>${count(changes.length, "file")} changed</span> <span class="good">+${additions}</span> <span class="bad">−${deletions}</span> <span>head <code>${pull.headSha.slice(0, 7)}</code></span> ${pull.labels.map((label) => html`<span class="tag">${label}</span> `)}</p>
</div>`;
}

/** Renders a check run's output. */
function checkDetail(world: World, pull: SandboxPull, line: CheckLine): Html {
  const { run } = line;
  if (run === null) return raw("");
  const text = [run.output.summary, run.output.text].filter((part) => part !== null && part !== "");
  const as = { references: buildReferences(world, pull), breaks: false };
  const body = text.map(
    (part) => html`<div class="markdown-body">${raw(renderMarkdown(part ?? "", as))}</div>`,
  );
  const buttons = run.actions.map(
    (action) => html`<span class="button plain" title="${action.description}">${action.label}</span> `,
  );
  return html`<section class="card check" id="check-${run.id}">
<header>${ICON[line.state]} <b>${line.name}</b> <span class="quiet">by ${line.from}</span>${run.detailsUrl !== null && html` <a class="end" href="${run.detailsUrl}">View more details on ${line.from}</a>`}</header>
<div class="check-body">
${run.output.title !== null && html`<h2>${run.output.title}</h2>`}
${body}
${buttons.length > 0 && html`<p>${buttons}</p>`}
${body.length === 0 && run.output.title === null && html`<p class="quiet">This check says nothing more.</p>`}
</div>
</section>`;
}

/** Renders the annotations of checks beside their lines in the changed files; GitHub shows no others there. */
function annotatedFiles(world: World, pull: SandboxPull, lines: readonly CheckLine[]): readonly Html[] {
  const objects = getObjects(world, world.repositories.require(pull.repositoryId));
  const files = readSnapshot(objects, pull.headSha);
  const all = lines.flatMap(({ name, run }) => (run?.annotations ?? []).map((one) => ({ ...one, name })));
  return listPullChanges(objects, pull).flatMap(({ path }) => {
    const code = readTextLines(objects, files.get(path) ?? null) ?? [];
    const own = all.filter((one) => one.path === path).sort((a, b) => a.start_line - b.start_line);
    const rows = own.map(
      (one) => html`<pre><span class="quiet">${one.start_line}</span> ${code[one.start_line - 1]}</pre>
<div class="annotation ${one.annotation_level}"><b>${ICON[one.annotation_level === "failure" ? "failure" : "attention"]} ${one.title}</b> <span class="quiet">${one.name}</span><p>${one.message}</p></div>`,
    );
    return own.length === 0
      ? []
      : [html`<section class="card file"><header><code>${path}</code></header>${rows}</section>`];
  });
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Renders the description and all comments, oldest first. */
function conversation(world: World, pull: SandboxPull): readonly Html[] {
  const opened = {
    id: "description",
    author: world.accounts.require(pull.authorId),
    body: pull.body ?? "",
    at: pull.createdAt,
    edited: false,
    minimisedReason: null,
  };
  const comments = world.comments.group(buildPullKey(pull)).map((comment) => toPost(world, comment));
  return [opened, ...comments].map((post) => postMarkup(post, buildReferences(world, pull)));
}

/** Links mentions and numbers to the accounts and pull requests of this sandbox. */
const buildReferences = (world: World, pull: SandboxPull): References => ({
  person: (login) => {
    const account = findAccount(world, login);
    return account === null ? null : `/${account.login}`;
  },
  team: (organisation, slug) =>
    findTeam(world, organisation, slug) === null ? null : `/orgs/${organisation}/teams/${slug}`,
  pull: (number) =>
    findPull(world, { repositoryId: pull.repositoryId, number }) === null ? null : String(number),
});

interface Post {
  readonly id: string;
  readonly author: Account;
  readonly body: string;
  readonly at: number;
  readonly edited: boolean;
  /** The reason for minimising it. */
  readonly minimisedReason: string | null;
}

const toPost = (world: World, comment: SandboxComment): Post => ({
  id: `issuecomment-${comment.id}`,
  author: world.accounts.require(comment.authorId),
  body: comment.body,
  at: comment.createdAt,
  edited: comment.editedAt !== null,
  minimisedReason: comment.minimised,
});

function postMarkup(post: Post, references: References): Html {
  const { author } = post;
  const name = author.login.replace(/\[bot\]$/, "");
  const text =
    post.body.trim() === ""
      ? html`<p class="quiet"><em>No description provided.</em></p>`
      : raw(renderMarkdown(post.body, { references, breaks: true }));
  const body = html`<div class="markdown-body">${text}</div>`;
  return html`<article class="post" id="${post.id}">
<img class="avatar" src="/-/avatars/${author.id}.svg" alt="" width="40" height="40">
<div class="card">
<header><b>${name}</b>${author.type === "Bot" && html` <span class="tag">bot</span>`} <span class="quiet">commented ${moment(post.at)}${post.edited && " · edited"}</span></header>
${post.minimisedReason === null ? body : html`<details><summary class="quiet">This comment was marked as ${post.minimisedReason}.</summary>${body}</details>`}
</div>
</article>`;
}

/** Renders a summary of the checks, whether merging is allowed, and why not. */
function mergeBox(world: World, pull: SandboxPull, lines: readonly CheckLine[]): Html {
  const because = listMergeObstacles(world, pull);
  const { tone, icon, title, words } = verdict(pull, because);
  return html`<section class="merge ${tone}" aria-label="Merging">
${lines.length > 0 && html`<div class="merge-part"><h2>${summary(lines)}</h2><ul class="checks">${lines.map(checkRow)}</ul></div>`}
<div class="merge-part">
<h2>${ICON[icon]} ${title}</h2>
${words.length > 0 && html`<ul class="reasons">${words.map((reason) => html`<li>${sentence(reason)}</li>`)}</ul>`}
${pull.state === "open" && html`<p><span class="button" aria-disabled="${because.length > 0 ? "true" : "false"}">Merge pull request</span></p>`}
</div>
</section>`;
}

interface MergeBoxText {
  readonly tone: string;
  readonly icon: keyof typeof ICON;
  readonly title: string;
  readonly words: readonly string[];
}

function verdict(pull: SandboxPull, because: readonly string[]): MergeBoxText {
  if (pull.mergedAt !== null) return { tone: "done", icon: "merged", title: "Merged", words: [] };
  if (pull.state === "closed") return { tone: "bad", icon: "closed", title: "Closed, not merged", words: [] };
  if (because.length === 0) return { tone: "good", icon: "success", title: "Merging is allowed", words: [] };
  const waits = because.every((reason) => /not reported yet$|is not finished$/.test(reason));
  return waits
    ? { tone: "warn", icon: "running", title: "Merging waits for required checks", words: because }
    : { tone: "bad", icon: "failure", title: "Merging is blocked", words: because };
}

/** "1 failed, 2 passed" */
function summary(lines: readonly CheckLine[]): string {
  const count = (...states: readonly CheckLine["state"][]) =>
    lines.filter((line) => states.includes(line.state)).length;
  const parts = [
    [count("failure"), "failed"],
    [count("attention"), "needing action"],
    [count("running", "waiting"), "not finished"],
    [count("success"), "passed"],
    [count("neutral", "skipped"), "neutral or skipped"],
  ] as const;
  const counted = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return `${lines.length === 1 ? "1 check" : `${lines.length} checks`}: ${counted.join(", ")}`;
}

const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;

/** A check or status of the head, or a required one without a report yet. */
interface CheckLine {
  readonly name: string;
  readonly from: string;
  readonly state: keyof typeof ICON;
  readonly words: string;
  readonly link: string | null;
  readonly required: boolean;
  readonly run: CheckRun | null;
}

const RUN_STATE: Readonly<Record<string, keyof typeof ICON>> = {
  success: "success",
  neutral: "neutral",
  skipped: "skipped",
  action_required: "attention",
  in_progress: "running",
  queued: "waiting",
};

const STATUS_STATE = {
  success: "success",
  pending: "waiting",
  failure: "failure",
  error: "failure",
} as const;

/** Returns the newest of each name, required ones first. */
export function checkLines(world: World, pull: SandboxPull): readonly CheckLine[] {
  const at = { repositoryId: pull.repositoryId, sha: pull.headSha };
  const names = listRequiredChecks(world, pull).map((check) => check.context);
  const runs = selectNewestRuns(world.checkRuns.group(buildCommitKey(at)));
  const reported = [
    ...runs.map((run) => runLine(world, run, names)),
    ...selectNewestStatuses(world, at).map((status) => statusLine(world, status, names)),
  ];
  const missing = names.filter((name) => !reported.some((line) => line.name === name)).map(expected);
  return [...missing, ...reported].toSorted((a, b) => Number(b.required) - Number(a.required));
}

const checkRow = (line: CheckLine): Html =>
  html`<li>${ICON[line.state]}<span class="check-name"><b>${line.name}</b> <span class="quiet">${line.words}</span></span>${line.required && html`<span class="tag">Required</span>`}${line.link !== null && html`<a href="${line.link}">Details</a>`}</li>`;

function runLine(world: World, run: CheckRun, required: readonly string[]): CheckLine {
  const state = run.status === "completed" ? (run.conclusion ?? "neutral") : run.status;
  return {
    name: run.name,
    from: world.apps.require(run.appId).name,
    state: RUN_STATE[state] ?? "failure",
    words: run.output.title ?? state.replaceAll("_", " "),
    link: `#check-${run.id}`,
    required: required.includes(run.name),
    run,
  };
}

const statusLine = (world: World, status: Status, required: readonly string[]): CheckLine => ({
  name: status.context,
  from: world.accounts.require(status.creatorId).login,
  state: STATUS_STATE[status.state],
  words: status.description ?? status.state,
  link: status.targetUrl,
  required: required.includes(status.context),
  run: null,
});

const expected = (name: string): CheckLine => ({
  name,
  from: "",
  state: "waiting",
  words: "Expected: waiting for it to be reported",
  link: null,
  required: true,
  run: null,
});
