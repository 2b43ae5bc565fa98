import { describe, expect, it } from "vitest";
import type { Notification } from "../../../src/policy/notifications/notification.ts";
import { formatMail } from "../../../src/render/notifications/mail.ts";
import { createNotificationRenderer } from "../../../src/render/notifications/message-text.ts";
import { formatSlackMessage } from "../../../src/render/notifications/slack-message.ts";
import { formatTeamsMessage } from "../../../src/render/notifications/teams-message.ts";
import { templates } from "../evaluation-builder.ts";
import { SlackPayload, TEAMS_BYTES, TeamsPayload } from "./payload-schemas.ts";
import { SAMPLE_NOTIFICATIONS } from "./sample-notifications.ts";

const renderer = createNotificationRenderer(templates(), {
  github: "https://github.com",
  tollgate: "https://tollgate.example.com",
});
const word = (notifications: readonly Notification[], isDigest = notifications.length !== 1) =>
  renderer.message(notifications, { target: "finops", isDigest });

const HOSTILE = [
  "<!channel> <@U012AB3CD> <https://evil.example|click>",
  "[click](https://evil.example) **bold** ![i](https://evil.example/x.png)",
  "<script>alert(1)</script><img src=x onerror=alert(1)> &amp; \"quotes' ",
  "subject\r\nBcc: everyone@evil.example\r\n\r\nbody",
  "\u202eevil\u202c \u200b\u0000 \ud83d @here @everyone <at>All</at>",
  ":fire: _a_ ~b~ `c` {{title}} {{> x}} %s",
  "x".repeat(5_000),
];

const hostile = (text: string): Notification => ({
  event: "blocked",
  pull: { repository: "acme/shop", number: 1, title: text, author: text },
  changes: [],
  rules: [{ rule: "no-deletes", message: text, money: null }],
  moreRules: 0,
});

/** Digests and single messages of every kind, with harmless and with hostile texts. */
const MESSAGES = [
  ...SAMPLE_NOTIFICATIONS.map((one) => word([one])),
  ...HOSTILE.map((text) => word([hostile(text)])),
  word(SAMPLE_NOTIFICATIONS),
  word(Array.from({ length: 20 }, () => hostile("x".repeat(5_000)))),
  word(Array.from({ length: 20 }, () => hostile("漢".repeat(5_000)))),
  word([SAMPLE_NOTIFICATIONS[0] ?? hostile("")], true),
];

describe("a message to Slack", () => {
  it("is what Block Kit allows, whatever it is about", () => {
    for (const message of MESSAGES) SlackPayload.parse(formatSlackMessage(message));
  });

  it("shows text from outside as text: no mention, link or formatting of it works", () => {
    for (const text of HOSTILE) {
      const { text: fallback, blocks } = formatSlackMessage(word([hostile(text)]));
      expect(fallback).not.toMatch(/<|>/);
      const links = blocks.flatMap((block) =>
        block.type === "context" ? block.elements.filter(({ type }) => type === "mrkdwn") : [],
      );
      expect(links.map((link) => link.text)).toEqual([
        "<https://github.com/acme/shop/pull/1|Pull request>   <https://tollgate.example.com/r/acme/shop/pull/1|Details>",
      ]);
    }
  });
});

describe("a message to Teams", () => {
  it("is what the schema of Adaptive Cards allows and small enough, whatever it is about", () => {
    for (const message of MESSAGES) {
      const payload = formatTeamsMessage(message);
      TeamsPayload.parse(payload);
      expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(TEAMS_BYTES);
    }
  });

  it("shows text from outside in elements without Markdown alone", () => {
    for (const text of HOSTILE) {
      const [{ content }] = formatTeamsMessage(word([hostile(text)])).attachments;
      expect(new Set(content.body.map(({ type }) => type))).toEqual(new Set(["RichTextBlock"]));
      expect(content.actions.map(({ url }) => url)).toEqual([
        "https://github.com/acme/shop/pull/1",
        "https://tollgate.example.com/r/acme/shop/pull/1",
      ]);
    }
  });
});

describe("an e-mail", () => {
  it("has a subject of one line and no markup of outside", () => {
    for (const text of HOSTILE) {
      const { subject, html } = formatMail({
        ...word([hostile(text)]),
        title: text,
      });
      expect(subject).not.toMatch(/[\p{Cc}]/u);
      expect(subject.length).toBeLessThanOrEqual(180);
      expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
      const tags = new Set(Array.from(html.matchAll(/<\/?([a-z!]+)/g), ([, tag]) => tag));
      expect([...tags].toSorted()).toEqual(["!doctype", "a", "body", "br", "h", "meta", "p"]);
    }
  });
});
