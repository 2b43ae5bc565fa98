import { readFileSync } from "node:fs";
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { getMarkdownStyle } from "../../src/package/shipped-files.ts";
import type { SandboxPull } from "../state/records.ts";
import { buildPullKey, findPull, findRepository, getFullName, type World } from "../state/world.ts";
import { addAuthorizePage } from "./authorize.ts";
import { type Html, ICON, layout, moment } from "./layout.ts";
import { checkLines, getStateMark, pullPageHtml } from "./pull-page.ts";
import { PAGE_CSS } from "./style.ts";

type Env = { Bindings: HttpBindings };

/** Forbids scripts and requests to other hosts, whatever a comment contains. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** Routes of the pages for people and of their assets. */
export function addPageRoutes(app: Hono<Env>, world: World): void {
  const markdownCss = readFileSync(getMarkdownStyle(), "utf8");
  app.get("/-/markdown.css", (c) => send(c, "text/css", markdownCss));
  app.get("/-/page.css", (c) => send(c, "text/css", PAGE_CSS));
  app.get("/-/avatars/:file", (c) => {
    const id = Number.parseInt(c.req.param("file"), 10);
    return send(c, "image/svg+xml", avatar(id, world.accounts.get(id)?.login ?? "T"));
  });
  addAuthorizePage(app, world);
  app.get("/", (c) => send(c, "text/html", listPageHtml(world)));
  app.get("/:owner/:repo/pull/:number", (c, next) => {
    const repository = findRepository(world, `${c.req.param("owner")}/${c.req.param("repo")}`);
    const number = Number(c.req.param("number"));
    const pull = repository === null ? null : findPull(world, { repositoryId: repository.id, number });
    return pull === null ? next() : send(c, "text/html", pullPageHtml(world, pull));
  });
  // GitHub's website and API share this host: what a browser opens is a page, everything else is a call.
  app.get("*", (c, next) =>
    c.req.header("accept")?.startsWith("text/html") === true
      ? send(c, "text/html", missingPageHtml(c.req.path), 404)
      : next(),
  );
}

const send = async (c: Context<Env>, type: string, text: string | Html, status: 200 | 404 = 200) =>
  c.body(String(await text), status, {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });

/** All pull requests of all repositories, the newest first. */
function listPageHtml(world: World): Html {
  const pulls = world.pulls.all().toReversed();
  return layout({
    title: "Pull requests · Sandbox GitHub",
    crumbs: html`<b>Pull requests</b>`,
    body: html`<div class="heading"><h1>Pull requests</h1></div>
<ul class="card rows">
${pulls.map((pull) => row(world, pull))}
${pulls.length === 0 && html`<li class="quiet">There are no pull requests yet.</li>`}
</ul>`,
  });
}

function row(world: World, pull: SandboxPull): Html {
  const name = getFullName(world, world.repositories.require(pull.repositoryId));
  const comments = world.comments.group(buildPullKey(pull)).length;
  const { login } = world.accounts.require(pull.authorId);
  return html`<li>${ICON[getStateMark(pull).icon]}
<div class="grow"><a class="title" href="/${name}/pull/${pull.number}">${pull.title}</a>
<p class="quiet">${name}#${pull.number} opened ${moment(pull.createdAt)} by ${login}</p></div>
<span class="marks">${checkLines(world, pull).map((line) => ICON[line.state])}</span>
${comments > 0 && html`<span class="marks quiet">${ICON.comment} ${comments}</span>`}</li>`;
}

/** What a browser gets for an address of GitHub's website that the sandbox lacks: files, commits, people. */
const missingPageHtml = (path: string): Html =>
  layout({
    title: "No such page · Sandbox GitHub",
    crumbs: html`<b>No such page</b>`,
    body: html`<div class="heading"><h1>The sandbox has no such page</h1></div>
<p>On GitHub, <code>${path}</code> is a page. The sandbox has pages of pull requests only.</p>
<p><a class="button" href="/">All pull requests</a></p>`,
  });

/** Distinct hues, in degrees. */
const HUES = [212, 152, 28, 268, 340, 186, 48, 96];

/** Renders a round picture with the first letter of a name; its colour depends on the id. */
function avatar(id: number, name: string): string {
  const letter = /[a-z0-9]/i.exec(name)?.[0]?.toUpperCase() ?? "T";
  const hue = HUES[id % HUES.length] ?? 212;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">' +
    `<circle cx="20" cy="20" r="20" fill="hsl(${hue} 45% 42%)"/>` +
    `<text x="20" y="27" font-family="system-ui,sans-serif" font-size="19" font-weight="600" fill="#fff" text-anchor="middle">${letter}</text></svg>`
  );
}
