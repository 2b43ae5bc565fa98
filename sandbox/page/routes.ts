import { readFileSync } from "node:fs";
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { getMarkdownStyle } from "../../src/package/shipped-files.ts";
import { findPull, findRepository } from "../state/find.ts";
import type { World } from "../state/world.ts";
import { addAuthorizePage } from "./authorize-page.ts";
import { avatar } from "./avatar.ts";
import type { Html } from "./layout.ts";
import { listPageHtml } from "./list-page.ts";
import { missingPageHtml } from "./missing-page.ts";
import { pullPageHtml } from "./pull-page.ts";
import { PAGE_CSS } from "./style.ts";

type Env = { Bindings: HttpBindings };

/** Forbids scripts and requests to other hosts, whatever a comment contains. */
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/** Routes of the pages for people and of their assets. */
export function pageRoutes(app: Hono<Env>, world: World): void {
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
