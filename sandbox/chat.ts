import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import { z } from "zod";
import type { Clock } from "../src/kernel/clock.ts";
import { listen } from "./http/listen.ts";
import type { Html } from "./page/layout.ts";
import { PAGE_CSS } from "./page/style.ts";

/** A chat service on loopback with one channel, which receives messages like an incoming webhook of Slack. */
export interface ChatSandbox {
  /** The page of the channel. */
  readonly url: string;
  /** Where messages are posted. */
  readonly webhookUrl: string;
  readonly messages: readonly ChatMessage[];
  close(): Promise<void>;
}

const WEBHOOK = "/services/T0SANDBOX/B0SANDBOX/finops";
/** Most messages that the page shows; older ones go. */
const KEPT = 200;
const BODY_BYTES = 256 * 1_024;

/** Starts a chat service. It refuses what Slack would refuse. `port` 0: the system chooses. */
export async function createChatSandbox(options: {
  readonly clock: Clock;
  readonly port: number;
}): Promise<ChatSandbox> {
  const messages: ChatMessage[] = [];
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.post(WEBHOOK, bodyLimit({ maxSize: BODY_BYTES }), async (c) => {
    const parsed = ChatPayload.safeParse(await c.req.json().catch(() => null));
    if (!parsed.success) return c.text("invalid_blocks", 400);
    messages.push({ atMs: options.clock.now(), blocks: parsed.data.blocks });
    messages.splice(0, messages.length - KEPT);
    return c.text("ok");
  });
  app.get("/chat.css", (c) => c.body(CHAT_CSS, 200, { "content-type": "text/css; charset=utf-8" }));
  app.get("/", async (c) =>
    c.body(String(await channelPage(messages)), 200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'",
      "x-content-type-options": "nosniff",
    }),
  );
  const server = await listen(app, options.port);
  return { ...server, webhookUrl: `${server.url}${WEBHOOK}`, url: `${server.url}/`, messages };
}

const PlainText = z.object({ type: z.literal("plain_text"), text: z.string().min(1).max(3_000) });
const Mrkdwn = z.object({ type: z.literal("mrkdwn"), text: z.string().min(1).max(3_000) });
const AnyText = z.discriminatedUnion("type", [PlainText, Mrkdwn]);
type ChatText = z.infer<typeof AnyText>;

const Block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("header"), text: PlainText.extend({ text: z.string().min(1).max(150) }) }),
  z.object({ type: z.literal("section"), text: AnyText }),
  z.object({ type: z.literal("context"), elements: z.array(AnyText).min(1).max(10) }),
]);
type ChatBlock = z.infer<typeof Block>;

/** The body of a request to an incoming webhook, as far as this stand-in shows it. */
const ChatPayload = z.object({ text: z.string().min(1), blocks: z.array(Block).min(1).max(50) });

/** A message as the channel shows it. */
export interface ChatMessage {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly blocks: readonly ChatBlock[];
}

const CHAT_CSS = `${PAGE_CSS}
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
const channelPage = (messages: readonly ChatMessage[]): Html =>
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
