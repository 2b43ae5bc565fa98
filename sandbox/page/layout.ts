import { html, raw } from "hono/html";

export type Html = ReturnType<typeof html>;

export interface PageContent {
  readonly title: string;
  /** The page's heading, beside the name of the sandbox. */
  readonly crumbs: Html;
  /** Links below the heading. */
  readonly tabs?: Html;
  readonly body: Html;
  /** As whom the visitor acts. */
  readonly person?: Html;
  /** The page shows by itself what is new: its path, and what the server calls its state now. */
  readonly follow?: { readonly path: string; readonly version: string };
}

/** Renders a whole document without resources from other hosts. */
export const layout = (page: PageContent): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<link rel="icon" href="/-/avatars/0.svg">
<link rel="stylesheet" href="/-/markdown.css">
<link rel="stylesheet" href="/-/page.css">
${page.follow && html`<script src="/-/follow.js" defer></script>`}
</head>
<body>
<header class="top"><div class="wide"><nav aria-label="Where you are">${page.crumbs}</nav><a class="home" href="/" title="A stand-in for GitHub on this machine">Sandbox GitHub</a>${page.person}</div>${page.tabs && html`<div class="wide">${page.tabs}</div>`}</header>
<main class="wide"${page.follow && html` data-follow="${page.follow.path}" data-version="${page.follow.version}"`}>
${page.body}
</main>
</body>
</html>
`;

const FORMAT = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** Renders a time for people, in UTC, with the exact time as an attribute. */
export const moment = (at: number): Html => {
  const exact = new Date(at).toISOString();
  return html`<time datetime="${exact}" title="${exact}">${FORMAT.format(at)} UTC</time>`;
};

const svg = (tone: string, label: string, shapes: string) =>
  raw(
    `<svg class="icon ${tone}" viewBox="0 0 16 16" width="16" height="16" role="img" aria-label="${label}" ` +
      `fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${shapes}</svg>`,
  );

const DISC = '<circle cx="8" cy="8" r="7.2" fill="currentColor" stroke="none"/>';
const on = (shapes: string): string => `<g stroke="var(--canvas)">${shapes}</g>`;

const PULL =
  '<circle cx="3.8" cy="3.4" r="1.7"/><circle cx="3.8" cy="12.6" r="1.7"/><path d="M3.8 5.1v5.8"/>' +
  '<circle cx="12.2" cy="12.6" r="1.7"/><path d="M12.2 10.9V6.2a2 2 0 0 0-2-2H8"/><path d="M9.7 2.4 7.9 4.2l1.8 1.8"/>';

const MERGED =
  '<circle cx="4" cy="3.4" r="1.7"/><circle cx="4" cy="12.6" r="1.7"/><path d="M4 5.1v5.8"/>' +
  '<circle cx="12.2" cy="8.4" r="1.7"/><path d="M4 5.1c.3 2.4 2.6 3.3 6.5 3.3"/>';

export const ICON = {
  success: svg("good", "passed", DISC + on('<path d="m4.8 8.3 2.2 2.2 4.2-4.6"/>')),
  failure: svg("bad", "failed", DISC + on('<path d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2"/>')),
  attention: svg("warn", "needs action", DISC + on('<path d="M8 4.4v4.2m0 2.7v.1"/>')),
  neutral: svg("quiet", "neutral", DISC + on('<path d="M5.6 8h4.8"/>')),
  skipped: svg("quiet", "skipped", DISC + on('<path d="m5.2 10.8 5.6-5.6"/>')),
  running: svg(
    "warn",
    "running",
    '<circle cx="8" cy="8" r="6.2" opacity=".35"/><path d="M8 1.8A6.2 6.2 0 0 1 14.2 8"/><circle cx="8" cy="8" r="1.8" fill="currentColor" stroke="none"/>',
  ),
  waiting: svg("warn", "waiting", '<circle cx="8" cy="8" r="3.4" fill="currentColor" stroke="none"/>'),
  open: svg("good", "open", PULL),
  draft: svg("quiet", "draft", PULL),
  closed: svg("bad", "closed", PULL),
  merged: svg("done", "merged", MERGED),
  folder: svg(
    "quiet",
    "folder",
    '<path d="M1.8 4.2a1 1 0 0 1 1-1h3l1.6 1.8h5.8a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H2.8a1 1 0 0 1-1-1z" fill="currentColor"/>',
  ),
  file: svg(
    "quiet",
    "file",
    '<path d="M3.4 2.6a1 1 0 0 1 1-1h4.8l3.4 3.4v8.4a1 1 0 0 1-1 1H4.4a1 1 0 0 1-1-1z"/><path d="M9 1.8v3.4h3.4"/>',
  ),
  branch: svg(
    "quiet",
    "branch",
    '<circle cx="4.2" cy="3.4" r="1.7"/><circle cx="4.2" cy="12.6" r="1.7"/><circle cx="11.8" cy="4.6" r="1.7"/><path d="M4.2 5.1v5.8m0-1.2c0-2.6 7.6-1 7.6-3.4"/>',
  ),
  comment: svg(
    "quiet",
    "comments",
    '<path d="M2.6 2.8h10.8a1 1 0 0 1 1 1v6.4a1 1 0 0 1-1 1H8.6L5 14v-2.8H2.6a1 1 0 0 1-1-1V3.8a1 1 0 0 1 1-1z"/>',
  ),
} as const;
