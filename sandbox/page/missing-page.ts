import { html } from "hono/html";
import { type Html, layout } from "./layout.ts";

/** What a browser gets for an address of GitHub's website that the sandbox lacks: files, commits, people. */
export const missingPageHtml = (path: string): Html =>
  layout({
    title: "No such page · Sandbox GitHub",
    crumbs: html`<b>No such page</b>`,
    refresh: null,
    body: html`<div class="heading"><h1>The sandbox has no such page</h1></div>
<p>On GitHub, <code>${path}</code> is a page. The sandbox has pages of pull requests only.</p>
<p><a class="button" href="/">All pull requests</a></p>`,
  });
