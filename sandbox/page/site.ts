import { readFileSync } from "node:fs";
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { html } from "hono/html";
import { getMarkdownStyle } from "../../src/package/shipped-files.ts";
import { ApiRefusal } from "../api/call.ts";
import { readCommit } from "../state/git.ts";
import type { Repository, SandboxPull } from "../state/records.ts";
import {
  countChanges,
  findAccount,
  findPull,
  findRepository,
  findTeam,
  getObjects,
  requirePull,
  resolveRef,
  type World,
} from "../state/world.ts";
import { addAuthorizePage } from "./authorize.ts";
import { checksTabHtml, runPageHtml } from "./check-page.ts";
import {
  type CodePlace,
  filePageHtml,
  findCodePlace,
  folderPageHtml,
  LINES_SCRIPT,
  repositoryHomeHtml,
} from "./code-page.ts";
import { branchesPageHtml, commitPageHtml, commitsPageHtml, commitsTabHtml } from "./commit-page.ts";
import { filesTabHtml } from "./difference.ts";
import { FOLLOW_JS } from "./follow.ts";
import { type Html, layout } from "./layout.ts";
import { accountPageHtml, appPageHtml, teamPageHtml } from "./people-pages.ts";
import { addPersonRoute, FOREIGN_FORM, findPerson, isOwnForm } from "./person.ts";
import { actOnPull, formatPullPath } from "./pull-forms.ts";
import { homePageHtml, type ListQuery, pullsPageHtml } from "./pull-lists.ts";
import { pullPageHtml, type Visit } from "./pull-page.ts";
import { PAGE_CSS } from "./style.ts";

type Env = { Bindings: HttpBindings };
type PageContext = Context<Env>;

/** Forbids requests to other hosts and scripts other than the sandbox's own, whatever a comment contains. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The visitor has the page as it is. */
const UNCHANGED = Symbol("unchanged");

/** Routes of the pages for people and of their assets. */
export function addPageRoutes(app: Hono<Env>, world: World): void {
  const markdownCss = readFileSync(getMarkdownStyle(), "utf8");
  app.get("/-/markdown.css", (c) => send(c, "text/css", markdownCss));
  app.get("/-/lines.js", (c) => send(c, "text/javascript", LINES_SCRIPT));
  app.get("/-/follow.js", (c) => send(c, "text/javascript", FOLLOW_JS));
  app.get("/-/page.css", (c) => send(c, "text/css", PAGE_CSS));
  app.get("/-/avatars/:file", (c) => {
    const id = Number.parseInt(c.req.param("file"), 10);
    return send(c, "image/svg+xml", avatar(id, world.accounts.get(id)?.login ?? "T"));
  });
  addAuthorizePage(app, world);
  const readList = (c: Context<Env>): ListQuery => ({
    state: c.req.query("state"),
    page: c.req.query("page"),
  });
  app.get("/", (c) => send(c, "text/html", homePageHtml(world, readList(c))));
  /** Serves a page of a repository; where `render` returns null, there is none. */
  const addRepositoryPage = (
    path: string,
    render: (repository: Repository, c: PageContext) => Html | typeof UNCHANGED | null,
  ) =>
    app.get(`/:owner/:repo${path}`, async (c, next) => {
      const repository = findRepository(world, `${c.req.param("owner")}/${c.req.param("repo")}`);
      const html = repository === null ? null : render(repository, c);
      if (html === UNCHANGED) return c.body(null, 304);
      return html === null ? next() : send(c, "text/html", html);
    });
  // Another sandbox may have had this address before, so the time of its start is a part of the version.
  const startedMs = world.clock.now();
  const describeVisit = (pull: SandboxPull, c: PageContext): Visit => {
    const person = findPerson(world, c);
    const { pathname, search } = new URL(c.req.url);
    const version = `"${startedMs}-${countChanges(world)}-${person?.id ?? 0}"`;
    return { pull, path: pathname + search, version, person, refused: null };
  };
  const addPullPage = (path: string, render: (visit: Visit, c: PageContext) => Html) =>
    addRepositoryPage(`/pull/:number${path}`, ({ id: repositoryId }, c) => {
      const pull = findPull(world, { repositoryId, number: Number(c.req.param("number")) });
      if (pull === null) return null;
      const visit = describeVisit(pull, c);
      c.header("etag", visit.version);
      return c.req.header("if-none-match") === visit.version ? UNCHANGED : render(visit, c);
    });
  /** The path begins with a branch, whose name may have slashes, or with a commit. */
  const addCodePage = (
    kind: string,
    render: (repository: Repository, place: CodePlace, c: PageContext) => Html | null,
  ) =>
    addRepositoryPage(`/${kind}/:place{.+}`, (repository, c) => {
      const place = findCodePlace(world, repository, c.req.param("place") ?? "");
      return place === null ? null : render(repository, place, c);
    });
  addPersonRoute(app, world);
  addPullPage("", (visit) => pullPageHtml(world, visit));
  app.post("/:owner/:repo/pull/:number", async (c, next) => {
    const repository = findRepository(world, `${c.req.param("owner")}/${c.req.param("repo")}`);
    const key = { repositoryId: repository?.id ?? 0, number: Number(c.req.param("number")) };
    const pull = findPull(world, key);
    if (pull === null) return next();
    if (!isOwnForm(world, c)) return c.text(FOREIGN_FORM, 403);
    const form = await c.req.parseBody();
    try {
      const place = await actOnPull(world, pull, findPerson(world, c), form);
      return c.redirect(formatPullPath(world, pull) + place, 303);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      const refused = { sentence: error.hint ?? error.message, body: String(form["body"] ?? "") };
      const page = pullPageHtml(world, { ...describeVisit(requirePull(world, key), c), refused });
      return send(c, "text/html", page, 422);
    }
  });
  addPullPage("/checks", (visit, c) =>
    checksTabHtml(world, visit, {
      runId: Number(c.req.query("check_run_id")),
      isAsked: c.req.query("asked") !== undefined,
    }),
  );
  addPullPage("/commits", (visit) => commitsTabHtml(world, visit));
  addPullPage("/files", (visit) => filesTabHtml(world, visit));
  addRepositoryPage("", (repository) => repositoryHomeHtml(world, repository));
  addCodePage("tree", (repository, place) => folderPageHtml(world, repository, place));
  addCodePage("blob", (repository, place) => filePageHtml(world, repository, place));
  addCodePage("commits", (repository, { ref, sha }, c) =>
    commitsPageHtml(world, repository, { ref, sha, page: c.req.query("page") }),
  );
  addCodePage("edit", (repository, place) =>
    filePageHtml(world, repository, place, "GitHub has its editor here. The sandbox only shows the file."),
  );
  addRepositoryPage("/branches", (repository) => branchesPageHtml(world, repository));
  addRepositoryPage("/commit/:sha", (repository, c) => {
    const sha = resolveRef(world, repository, c.req.param("sha") ?? "") ?? "";
    const commit = readCommit(getObjects(world, repository), sha);
    return commit === null ? null : commitPageHtml(world, repository, commit);
  });
  addRepositoryPage("/pulls", (repository, c) => pullsPageHtml(world, repository, readList(c)));
  addRepositoryPage("/runs/:id", (repository, c) => {
    const run = world.checkRuns.get(Number(c.req.param("id")));
    return run?.repositoryId === repository.id ? runPageHtml(world, run) : null;
  });
  app.get("/:login", (c, next) => {
    const account = findAccount(world, c.req.param("login"));
    return account === null
      ? next()
      : send(c, "text/html", accountPageHtml(world, account, c.req.query("page")));
  });
  // GitHub's website and API share this host: what a browser opens is a page, everything else is a call.
  app.get("*", (c, next) => (isBrowser(c) ? send(c, "text/html", missingPageHtml(c.req.path), 404) : next()));
}

const send = async (c: Context<Env>, type: string, text: string | Html, status: 200 | 404 | 422 = 200) =>
  c.body(String(await text), status, {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    // Without a referrer, browsers would state no origin with a form either.
    "referrer-policy": "same-origin",
    "cache-control": "no-cache",
  });

/** The pages whose paths are those of the API too: what a browser opens is a page. */
export function addSharedPageRoutes(app: Hono<Env>, world: World): void {
  app.get("/orgs/:org/teams/:slug", (c, next) => {
    const team = isBrowser(c) ? findTeam(world, c.req.param("org"), c.req.param("slug")) : null;
    return team === null ? next() : send(c, "text/html", teamPageHtml(world, team));
  });
  app.get("/apps/:slug", (c, next) => {
    const found = isBrowser(c) ? world.apps.find(({ slug }) => slug === c.req.param("slug")) : null;
    return found === null ? next() : send(c, "text/html", appPageHtml(world, found));
  });
}

const isBrowser = (c: PageContext): boolean => c.req.header("accept")?.startsWith("text/html") === true;

/** What a browser gets for an address of GitHub's website that the sandbox lacks. */
const missingPageHtml = (path: string): Html =>
  layout({
    title: "No such page · Sandbox GitHub",
    crumbs: html`<b>No such page</b>`,
    body: html`<div class="heading"><h1>The sandbox has no such page</h1></div>
<p><code>${path}</code> is nothing that is here, or a page that only the real GitHub has.</p>
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
