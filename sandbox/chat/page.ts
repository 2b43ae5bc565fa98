import { html } from "hono/html";
import type { Html } from "../page/layout.ts";
import { PAGE_CSS } from "../page/style.ts";
import type { ChatBlock, ChatText } from "./payload.ts";

/** A message as the channel shows it. */
export interface ChatMessage {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly blocks: readonly ChatBlock[];
}

export const CHAT_CSS = `${PAGE_CSS}
.channel { max-width: 760px; margin: 0 auto; padding: 16px 24px 48px; }
.channel h1 { font-size: 18px; border-bottom: 1px solid var(--line); padding-bottom: 12px; margin: 0 0 16px; }
.message { display: flex; gap: 12px; padding: 10px 0; }
.sender { flex: none; width: 36px; height: 36px; border-radius: 6px; background: #4a154b; color: #ffffff; display: grid; place-items: center; font-weight: 700; }
.message h2 { font-size: 16px; margin: 2px 0 4px; }
.message .text { white-space: pre-line; }
.message .context { color: var(--quiet); font-size: 12px; margin-top: 4px; }
.message .context a { margin-right: 12px; }
`;

/** Renders the channel, the newest message last. It asks for itself again every five seconds. */
export const channelPage = (messages: readonly ChatMessage[]): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5">
<title>#finops</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/chat.css">
</head>
<body>
<main class="channel">
<h1># finops <span class="quiet">what Tollgate sent to Slack</span></h1>
${messages.length === 0 ? html`<p class="quiet">Nothing yet.</p>` : messages.map(messageMarkup)}
</main>
</body>
</html>
`;

const messageMarkup = ({ atMs, blocks }: ChatMessage): Html =>
  html`<article class="message"><div class="sender" aria-hidden="true">T</div><div>
<p><b>Tollgate</b> <time class="quiet" datetime="${new Date(atMs).toISOString()}">${new Date(atMs).toISOString().slice(11, 16)} UTC</time></p>
${blocks.map(blockMarkup)}
</div></article>`;

function blockMarkup(block: ChatBlock): Html {
  switch (block.type) {
    case "header":
      return html`<h2>${block.text.text}</h2>`;
    case "section":
      return html`<p class="text">${textMarkup(block.text)}</p>`;
    case "context":
      return html`<p class="context">${block.elements.map(textMarkup)}</p>`;
  }
}

/** As Slack reads it: links and escapes in `mrkdwn`, nothing in `plain_text`. */
function textMarkup({ type, text }: ChatText): Html {
  if (type === "plain_text") return html`${text}`;
  const parts = text.split(/(<[^<>|]+\|[^<>|]+>)/);
  return html`${parts.map((part) => {
    const [, url = null, label = ""] = /^<(https?:\/\/[^|]+)\|([^|]+)>$/.exec(part) ?? [];
    return url === null
      ? html`${readEscapes(part)}`
      : html`<a href="${readEscapes(url)}">${readEscapes(label)}</a>`;
  })}`;
}

const readEscapes = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
