import { html } from "hono/html";
import { collectAncestors, type GitCommit, listCommitsBetween, readCommit } from "../state/git.ts";
import type { Repository } from "../state/records.ts";
import { getFullName, getObjects, type World } from "../state/world.ts";
import { formatRepositoryPath } from "./addresses.ts";
import { checkMarks, checkRows, commitCheckLines, summarizeChecks } from "./check-lines.ts";
import { differenceMarkup } from "./difference.ts";
import { type Html, moment } from "./layout.ts";
import { paged } from "./pull-lists.ts";
import { pullTabHtml, type Visit } from "./pull-page.ts";
import { accountLink, count, repositoryPage } from "./repository-frame.ts";

/** Renders a commit: what it changes, its checks, its parents and its pull requests. */
export function commitPageHtml(world: World, repository: Repository, commit: GitCommit): Html {
  const path = (...parts: readonly string[]) => formatRepositoryPath(world, repository, ...parts);
  const { sha, parents, author } = commit;
  const checks = commitCheckLines(world, { repositoryId: repository.id, sha });
  const pulls = world.pulls
    .group(String(repository.id))
    .filter(({ headSha, mergeCommitSha }) => headSha === sha || mergeCommitSha === sha);
  const [subject, rest] = splitMessage(commit);
  const parent = (one: string) => html` <a href="${path("commit", one)}"><code>${one.slice(0, 7)}</code></a>`;
  return repositoryPage(world, repository, {
    title: `${subject} · ${getFullName(world, repository)}@${sha.slice(0, 7)}`,
    tab: "code",
    body: html`<div class="heading"><h1>${subject}</h1>
${rest !== "" && html`<pre class="message">${rest}</pre>`}
<p class="quiet facts"><span>${accountLink(world, author.accountId)} committed ${moment(author.at)}</span> ${pulls.map(({ number }) => html`<span><a href="${path("pull", String(number))}">#${number}</a></span> `)}<span>${count(parents.length, "parent")}${parents.map(parent)}</span> <span>commit <code>${sha}</code></span> <span><a href="${path("tree", sha)}">Browse files</a></span></p></div>
${checks.length > 0 && html`<section class="card check" id="checks"><header><b>${summarizeChecks(checks)}</b></header><div class="inner">${checkRows(checks)}</div></section>`}
${differenceMarkup(world, { repository, from: parents[0] ?? null, to: sha })}`,
  });
}

/** Renders the commits of a branch or before a commit, the newest first. */
export function commitsPageHtml(
  world: World,
  repository: Repository,
  { ref, sha, page }: { readonly ref: string; readonly sha: string; readonly page: string | undefined },
): Html {
  const commits = listCommits(world, repository, sha);
  const address = `${formatRepositoryPath(world, repository, "commits", ref)}?`;
  return repositoryPage(world, repository, {
    title: `Commits · ${getFullName(world, repository)}`,
    tab: "code",
    body: html`<div class="heading"><h1>Commits <a href="${formatRepositoryPath(world, repository, "tree", ref)}"><code>${ref}</code></a></h1><p class="quiet">${count(commits.length, "commit")}</p></div>
${paged(commits, page, address, (some) => commitList(world, repository, some))}`,
  });
}

/** Renders the commits of a pull request, the oldest first. */
export function commitsTabHtml(world: World, visit: Visit): Html {
  const { pull } = visit;
  const repository = world.repositories.require(pull.repositoryId);
  const commits = listCommitsBetween(getObjects(world, repository), pull.baseSha, pull.headSha);
  return pullTabHtml(world, visit, "Commits", commitList(world, repository, commits));
}

/** Returns a commit and those before it, the newest first. */
export const listCommits = (world: World, repository: Repository, sha: string): readonly GitCommit[] =>
  [...collectAncestors(getObjects(world, repository), sha).values()].toSorted(
    (a, b) => b.committer.at - a.committer.at,
  );

function commitList(world: World, repository: Repository, commits: readonly GitCommit[]): Html {
  const row = (commit: GitCommit) => {
    const checks = commitCheckLines(world, { repositoryId: repository.id, sha: commit.sha });
    return html`<li><div class="grow">${commitLink(world, repository, commit, "title")}
<p class="quiet">${accountLink(world, commit.author.accountId)} committed ${moment(commit.author.at)}</p></div>
${checkMarks(checks)} <a class="quiet" href="${formatRepositoryPath(world, repository, "commit", commit.sha)}"><code>${commit.sha.slice(0, 7)}</code></a></li>`;
  };
  return html`<ul class="card rows">${commits.map(row)}${commits.length === 0 && html`<li class="quiet">There are no commits.</li>`}</ul>`;
}

/** Renders the first line of a commit's message, which leads to the commit. */
export const commitLink = (world: World, repository: Repository, commit: GitCommit, style: string): Html =>
  html`<a class="${style}" href="${formatRepositoryPath(world, repository, "commit", commit.sha)}">${splitMessage(commit)[0]}</a>`;

/** Returns the first line of a commit's message, and the rest. */
function splitMessage({ message, sha }: GitCommit): readonly [string, string] {
  const [subject = "", ...rest] = message.split("\n");
  return [subject.trim() === "" ? sha.slice(0, 7) : subject, rest.join("\n").trim()];
}

/** Renders the branches, with the pull requests from them. */
export function branchesPageHtml(world: World, repository: Repository): Html {
  const pulls = world.pulls.group(String(repository.id));
  const rows = [...repository.branches].map(([name, sha]) => {
    const tip = readCommit(getObjects(world, repository), sha);
    const own = pulls.filter((one) => one.headRef === name && one.headRepositoryId === repository.id).at(-1);
    return html`<li><div class="grow"><a href="${formatRepositoryPath(world, repository, "tree", name)}"><code>${name}</code></a>${name === repository.defaultBranch && html` <span class="tag">default</span>`}
<p class="quiet">${tip !== null && html`${commitLink(world, repository, tip, "quiet")} · ${moment(tip.author.at)}`} · <a class="quiet" href="${formatRepositoryPath(world, repository, "commits", name)}">commits</a></p></div>
${own !== undefined && html`<a href="${formatRepositoryPath(world, repository, "pull", String(own.number))}">#${own.number}</a>`}</li>`;
  });
  return repositoryPage(world, repository, {
    title: `Branches · ${getFullName(world, repository)}`,
    tab: "code",
    body: html`<div class="heading"><h1>Branches</h1></div><ul class="card rows">${rows}</ul>`,
  });
}
