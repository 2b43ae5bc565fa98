import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ChatSandbox, createChatSandbox } from "../../sandbox/chat.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { createNotificationRenderer } from "../../src/render/notifications/message-text.ts";
import { formatSlackMessage } from "../../src/render/notifications/slack-message.ts";
import { templates } from "../render/evaluation-builder.ts";
import { SAMPLE_NOTIFICATIONS } from "../render/notifications/sample-notifications.ts";

let chat: ChatSandbox;
beforeEach(async () => {
  chat = await createChatSandbox({ clock: systemClock, port: 0 });
});
afterEach(() => chat.close());

const renderer = createNotificationRenderer(templates(), { github: "https://github.com", tollgate: null });
const post = (body: string) =>
  fetch(chat.webhookUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
const page = async () => (await fetch(chat.url)).text();

describe("the stand-in for Slack", () => {
  it("shows every message of Tollgate with its links", async () => {
    for (const notification of SAMPLE_NOTIFICATIONS) {
      const text = renderer.message([notification], { target: "finops", isDigest: false });
      expect((await post(JSON.stringify(formatSlackMessage(text)))).status).toBe(200);
    }
    const shown = await page();
    expect(chat.messages).toHaveLength(SAMPLE_NOTIFICATIONS.length);
    expect(shown).toContain("<h2>Approval needed: acme/shop #12</h2>");
    expect(shown).toContain('<a href="https://github.com/acme/shop/pull/12">Pull request</a>');
  });

  it("refuses what Slack refuses: no JSON, no blocks, a block that does not exist, too long a header", async () => {
    const header = (text: string) =>
      JSON.stringify({ text: "x", blocks: [{ type: "header", text: { type: "plain_text", text } }] });
    for (const body of [
      "{",
      '{"text":"x","blocks":[]}',
      '{"text":"x","blocks":[{"type":"image"}]}',
      header("x".repeat(151)),
    ]) {
      const answer = await post(body);
      expect([answer.status, await answer.text()]).toEqual([400, "invalid_blocks"]);
    }
    expect((await post(header("fits"))).status).toBe(200);
    expect(chat.messages).toHaveLength(1);
  });

  it("shows markup in a text as text", async () => {
    const hostile = "<script>alert(1)</script><https://evil.example|click>";
    const block = { type: "section", text: { type: "plain_text", text: hostile } };
    await post(JSON.stringify({ text: "x", blocks: [block] }));
    const shown = await page();
    expect(shown).not.toContain("<script>");
    expect(shown).not.toContain('href="https://evil.example"');
  });
});
