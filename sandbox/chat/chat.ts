import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Clock } from "../../src/kernel/clock.ts";
import { listen } from "../http/listen.ts";
import { CHAT_CSS, type ChatMessage, channelPage } from "./page.ts";
import { ChatPayload } from "./payload.ts";

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
  const server = await listen(app, { port: options.port, hostname: "127.0.0.1" });
  return { ...server, webhookUrl: `${server.url}${WEBHOOK}`, url: `${server.url}/`, messages };
}
