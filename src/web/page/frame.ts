import type { Context, MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { secureHeaders } from "hono/secure-headers";
import type { Reader } from "../reader.ts";
import { type Asset, FAVICON, STYLE } from "./assets.ts";
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

interface Document {
  readonly title: string;
  readonly style: Pick<Asset, "path">;
  /** What the head has beside title and style. */
  readonly head?: Html;
  /** With its element `body`. */
  readonly body: Html;
}

export const renderDocument = ({ title, style, head, body }: Document): string =>
  `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title} · Tollgate</title>
<link rel="stylesheet" href="${style.path}">
</head>
${body}
</html>`}\n`;

/** Renders a page in its frame. `reader` null: nobody is signed in. */
export const renderPage = ({ title, trail = [], tabs = [], body }: Page, reader: Reader | null): string =>
  renderDocument({
    title,
    style: STYLE,
    head: html`<meta name="color-scheme" content="light dark">
<meta name="description" content="What pull requests cost and change in the cloud.">
<link rel="icon" href="${FAVICON.path}">`,
    body: html`<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<div class="wide bar">
<a class="brand" href="/">${icon("law")}<span>Tollgate</span></a>
<nav aria-label="Where you are"><ol class="trail">
${trail.map((link, index) => renderPlace(link, index === trail.length - 1))}
</ol></nav>
${reader !== null && renderReader(reader)}
</div>
${tabs.length > 0 && renderTabs(tabs)}
</header>
<main class="wide" id="content">
${body}
</main>
<footer class="wide"><p>Amounts are per month. Unknown amounts never count as zero and never pass.</p></footer>
</body>`,
  });

const renderPlace = ({ text, href }: PageLink, isHere: boolean): Html =>
  isHere
    ? html`<li aria-current="page">${text}</li>`
    : html`<li><a href="${href}">${text}</a></li>
`;

const renderTabs = (tabs: readonly PageTab[]): Html => html`<nav class="wide tabs" aria-label="Pages">
${tabs.map(
  ({ text, href, current, icon: mark }) =>
    html`<a href="${href}"${current && html` aria-current="page"`}>${icon(mark)}<span>${text}</span></a>
`,
)}
</nav>`;

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

/**
 * Headers of every page for people: no scripts or styles but our own files, no frames, no other host, and, unless the answer says
 * something else, nothing that a browser or a proxy keeps.
 */
export const setPageHeaders = (
  referrerPolicy: "same-origin" | "strict-origin-when-cross-origin" = "same-origin",
): MiddlewareHandler =>
  every(
    async (context, next) => {
      await next();
      const { headers } = context.res;
      if (!headers.has("cache-control")) context.header("cache-control", "private, no-store");
      const target: string | undefined = context.get(FORM_TARGET);
      const policy = headers.get(POLICY)?.replace(OWN_FORMS, `${OWN_FORMS} ${target}`);
      if (target !== undefined) context.header(POLICY, policy);
    },
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        scriptSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
      referrerPolicy,
      xFrameOptions: "DENY",
      strictTransportSecurity: false, // the operator's reverse proxy terminates TLS and decides
    }),
  );

const POLICY = "content-security-policy";
const OWN_FORMS = "form-action 'self'";
const FORM_TARGET = "formTarget";

/** Lets the form of an answer be sent to one other origin. */
export const allowFormTarget = (context: Context, origin: string): void => context.set(FORM_TARGET, origin);
