import type { Reader } from "../reader.ts";
import { FAVICON, STYLE } from "./assets.ts";
import { type Html, html, type IconName, icon } from "./html.ts";

export interface PageLink {
  readonly text: string;
  readonly href: string;
}

/** A tab below the header; `current`: the tab of this page. */
export interface PageTab extends PageLink {
  readonly icon: IconName;
  readonly current: boolean;
}

/** A page without the frame that is the same everywhere. */
export interface Page {
  readonly title: string;
  /** Where the page is, from the outside to the inside; the last one is the page itself. */
  readonly trail?: readonly PageLink[];
  readonly tabs?: readonly PageTab[];
  readonly body: Html;
}

/** Renders a page as a document. `reader` null: nobody is signed in. */
export const renderPage = ({ title, trail = [], tabs = [], body }: Page, reader: Reader | null): string =>
  `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="What pull requests cost and change in the cloud.">
<title>${title} · Tollgate</title>
<link rel="icon" href="${FAVICON.path}">
<link rel="stylesheet" href="${STYLE.path}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<div class="wide bar">
<a class="brand" href="/">${icon("law")}<span>Tollgate</span></a>
<nav aria-label="Where you are"><ol class="trail">
${trail.map(({ text, href }, index) =>
  index === trail.length - 1
    ? html`<li aria-current="page">${text}</li>`
    : html`<li><a href="${href}">${text}</a></li>
`,
)}
</ol></nav>
${reader !== null && renderReader(reader)}
</div>
${
  tabs.length > 0 &&
  html`<nav class="wide tabs" aria-label="Pages">
${tabs.map(
  (
    tab,
  ) => html`<a href="${tab.href}"${tab.current && html` aria-current="page"`}>${icon(tab.icon)}<span>${tab.text}</span></a>
`,
)}
</nav>`
}
</header>
<main class="wide" id="content">
${body}
</main>
<footer class="wide"><p>Amounts are per month. Unknown amounts never count as zero and never pass.</p></footer>
</body>
</html>`}\n`;

const renderReader = (reader: Reader): Html => html`<div class="reader">
${reader.isAdmin && html`<a href="/operator">${icon("server")}<span>Operator</span></a>`}
<span class="login">${icon("person")}<span>${reader.login}</span></span>
<form method="post" action="/sign-out">${renderFormToken(reader)}<button class="plain">Sign out</button></form>
</div>`;

/** The field of every form that changes something: it proves that the form comes from the reader's session. */
export const renderFormToken = ({ formToken = "" }: Reader): Html =>
  html`<input type="hidden" name="form_token" value="${formToken}">`;

/** The body of a page about something that did not work. */
export const renderProblem = (heading: string, ...content: readonly Html[]): Html =>
  html`<div class="problem-page">
<h1>${heading}</h1>
${content}
</div>`;
