import { html } from "hono/html";

export type Html = ReturnType<typeof html>;

export interface PageContent {
  readonly title: string;
  /** The page's heading, beside the name of the sandbox. */
  readonly crumbs: Html;
  readonly body: Html;
  /** Reload interval in seconds while checks are pending; null: never. */
  readonly refresh: number | null;
}

/** Renders a whole document without scripts and without resources from other hosts. */
export const layout = (page: PageContent): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${page.refresh !== null && html`<meta http-equiv="refresh" content="${page.refresh}">`}
<title>${page.title}</title>
<link rel="icon" href="/-/avatars/0.svg">
<link rel="stylesheet" href="/-/markdown.css">
<link rel="stylesheet" href="/-/page.css">
</head>
<body>
<header class="top"><div class="wide"><nav aria-label="Where you are">${page.crumbs}</nav><a class="home" href="/">Sandbox GitHub</a></div></header>
<main class="wide">
${page.body}
</main>
</body>
</html>
`;
