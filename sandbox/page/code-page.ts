import { html, raw } from "hono/html";
import { renderMarkdown } from "../resources/markdown.ts";
import {
  type GitCommit,
  type GitTreeEntry,
  isBinary,
  type ObjectStore,
  readBlob,
  readCommit,
  readTextLines,
  readTree,
  readTreeEntry,
} from "../state/git.ts";
import type { Repository } from "../state/records.ts";
import { getFullName, getObjects, resolveRef, type World } from "../state/world.ts";
import { formatRepositoryPath } from "./addresses.ts";
import { checkMarks, commitCheckLines } from "./check-lines.ts";
import { commitLink, listCommits } from "./commit-page.ts";
import { type Html, ICON, moment } from "./layout.ts";
import { getStateMark } from "./pull-page.ts";
import { accountLink, buildReferences, count, listCard, repositoryPage } from "./repository-frame.ts";

/** A file or folder on a branch or at a commit. */
export interface CodePlace {
  readonly ref: string;
  readonly sha: string;
  /** Empty: the root. */
  readonly path: string;
}

/** Splits "main/infra/web.tf" into a ref of the repository and a path; null: it begins with no ref. */
export function findCodePlace(world: World, repository: Repository, text: string): CodePlace | null {
  const parts = text.split("/").filter((part) => part !== "");
  for (let length = parts.length; length > 0; length -= 1) {
    const ref = parts.slice(0, length).join("/");
    const sha = resolveRef(world, repository, ref);
    if (sha !== null) return { ref, sha, path: parts.slice(length).join("/") };
  }
  return null;
}

/** Renders the root of the default branch, with the branches and open pull requests; null: there is no commit. */
export function repositoryHomeHtml(world: World, repository: Repository): Html | null {
  const place = findCodePlace(world, repository, repository.defaultBranch);
  return place === null ? null : folderPageHtml(world, repository, place);
}

/** Renders a folder with its README; null: there is no such folder. */
export function folderPageHtml(world: World, repository: Repository, place: CodePlace): Html | null {
  const objects = getObjects(world, repository);
  const entry = readTreeEntry(objects, place.sha, place.path);
  const entries = entry?.mode === "040000" ? readTree(objects, entry.sha)?.entries : undefined;
  const commits = listCommits(world, repository, place.sha);
  const newest = readCommit(objects, place.sha);
  if (entries === undefined || newest === null) return null;
  const row = (child: GitTreeEntry) => {
    const path = joinPath(place.path, child.name);
    const isFolder = child.mode === "040000";
    const href = formatRepositoryPath(world, repository, isFolder ? "tree" : "blob", place.ref, path);
    const last = findLastCommit(objects, commits, path) ?? newest;
    return html`<tr><td>${isFolder ? ICON.folder : ICON.file} <a href="${href}">${child.name}</a></td><td class="wide-only">${commitLink(world, repository, last, "quiet")}</td><td class="quiet">${moment(last.author.at)}</td></tr>`;
  };
  // As on GitHub, folders come first.
  const sorted = entries.toSorted((a, b) => Number(b.mode === "040000") - Number(a.mode === "040000"));
  const readme = entries.find(({ name, mode }) => /^readme\.md$/i.test(name) && mode === "100644");
  const list = html`<section class="card"><header>${commitLine(world, repository, newest)}<span class="end"><a class="quiet" href="${formatRepositoryPath(world, repository, "commits", place.ref)}">${count(commits.length, "commit")}</a></span></header><table class="entries">${sorted.map(row)}</table></section>
${readme !== undefined && readmeMarkup(world, repository, readme)}`;
  return repositoryPage(world, repository, {
    title: `${place.path === "" ? "" : `${place.path} · `}${getFullName(world, repository)}`,
    tab: "code",
    body: html`${placeLine(world, repository, place)}
${place.path === "" ? html`<div class="columns turned"><div>${list}</div>${sidebar(world, repository)}</div>` : list}`,
  });
}

const joinPath = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** Returns the newest commit that changed a path against its first parent. `commits`: newest first. */
const findLastCommit = (
  objects: ObjectStore,
  commits: readonly GitCommit[],
  path: string,
): GitCommit | undefined =>
  commits.find(({ sha, parents }) =>
    parents.every(
      (parent) => readTreeEntry(objects, sha, path)?.sha !== readTreeEntry(objects, parent, path)?.sha,
    ),
  );

function commitLine(world: World, repository: Repository, commit: GitCommit): Html {
  const checks = commitCheckLines(world, { repositoryId: repository.id, sha: commit.sha });
  return html`${accountLink(world, commit.author.accountId)} ${commitLink(world, repository, commit, "quiet")} ${checkMarks(checks)} <a class="quiet" href="${formatRepositoryPath(world, repository, "commit", commit.sha)}"><code>${commit.sha.slice(0, 7)}</code></a> <span class="quiet">${moment(commit.author.at)}</span>`;
}

const readmeMarkup = (world: World, repository: Repository, { name, sha }: GitTreeEntry): Html => {
  const text = readBlob(getObjects(world, repository), sha)?.bytes.toString("utf8") ?? "";
  const as = { references: buildReferences(world, repository.id), breaks: false };
  return html`<section class="card more"><header><b>${name}</b></header><div class="markdown-body">${raw(renderMarkdown(text, as))}</div></section>`;
};

/** Renders the branch or commit, and each folder on the way. */
function placeLine(world: World, repository: Repository, { ref, path }: CodePlace): Html {
  const parts = path.split("/").filter((part) => part !== "");
  const link = (kind: string, ...rest: readonly string[]) =>
    formatRepositoryPath(world, repository, kind, ...rest);
  const steps = parts.map((part, at) =>
    at === parts.length - 1
      ? html` <span class="quiet">/</span> <b>${part}</b>`
      : html` <span class="quiet">/</span> <a href="${link("tree", ref, ...parts.slice(0, at + 1))}">${part}</a>`,
  );
  const name = /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 7) : ref;
  return html`<p class="place"><a class="button plain" href="${link("branches")}">${ICON.branch} ${name}</a> <a href="${link("tree", ref)}"><b>${repository.name}</b></a>${steps}</p>`;
}

/** Most branches and pull requests in the column beside the files. */
const LISTED = 8;

function sidebar(world: World, repository: Repository): Html {
  const open = world.pulls.group(String(repository.id)).filter(({ state }) => state === "open");
  const path = (...parts: readonly string[]) => formatRepositoryPath(world, repository, ...parts);
  const branches = [...repository.branches.keys()].slice(0, LISTED);
  return html`<div>
${listCard(
  html`<a href="${path("pulls")}">Open pull requests</a>`,
  open.slice(-LISTED).toReversed(),
  (pull) => {
    const name = html`${pull.title} <span class="quiet">#${pull.number}</span>`;
    return html`${ICON[getStateMark(pull).icon]} <a href="${path("pull", String(pull.number))}">${name}</a>`;
  },
)}
${listCard(
  html`<a href="${path("branches")}">${count(repository.branches.size, "branch")}</a>`,
  branches,
  (name) => html`${ICON.branch} <a href="${path("tree", name)}">${name}</a>`,
)}
</div>`;
}

/** Renders a file with an address for each line, below a sentence about the page; null: there is no such file. */
export function filePageHtml(
  world: World,
  repository: Repository,
  place: CodePlace,
  about: string | null = null,
): Html | null {
  const objects = getObjects(world, repository);
  const entry = readTreeEntry(objects, place.sha, place.path);
  if (entry === null || entry.mode === "040000") return null;
  const lines = readTextLines(objects, entry);
  const bytes = readBlob(objects, entry.sha)?.bytes ?? Buffer.alloc(0);
  const last = findLastCommit(objects, listCommits(world, repository, place.sha), place.path);
  const rows = (lines ?? []).map(
    (line, at) =>
      html`<tr id="L${at + 1}"><td class="number"><a href="#L${at + 1}">${at + 1}</a></td><td>${line}</td></tr>`,
  );
  return repositoryPage(world, repository, {
    title: `${place.path} at ${place.ref} · ${getFullName(world, repository)}`,
    tab: "code",
    body: html`${placeLine(world, repository, place)}
${about !== null && html`<p class="flash">${about}</p>`}
${last !== undefined && html`<p class="card bar">${commitLine(world, repository, last)}</p>`}
<section class="card file"><header><span class="quiet">${lines === null ? "Binary" : count(lines.length, "line")} · ${bytes.length.toLocaleString("en")} bytes</span><span class="end"><a href="${formatRepositoryPath(world, repository, "commits", place.ref)}">History</a></span></header>${
      lines === null || isBinary(bytes)
        ? html`<p class="quiet note">A binary file has no lines.</p>`
        : html`<div class="scroll"><table class="code lines">${rows}</table></div>`
    }</section>
<script src="/-/lines.js"></script>`,
  });
}

/** Marks the lines of an address such as "#L12-L20"; one line needs no script. */
export const LINES_SCRIPT = `function mark() {
  for (const row of document.querySelectorAll(".marked")) row.classList.remove("marked");
  const [, from, to] = /^#L(\\d+)-L(\\d+)$/.exec(location.hash) ?? [];
  for (let line = Number(from); line <= Number(to); line += 1) document.getElementById("L" + line)?.classList.add("marked");
  if (from !== undefined) document.getElementById("L" + from)?.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", mark);
mark();
`;
