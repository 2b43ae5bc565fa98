import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The path prefix of all setup pages; the browser sends the cookie to these paths only. */
export const SETUP_PATH = "/setup";
export const STYLE_PATH = `${SETUP_PATH}/style.css`;

/** The frame of every setup page. */
export const layOut = (title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tollgate</title>
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;
