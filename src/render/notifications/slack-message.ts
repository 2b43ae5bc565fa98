import { shorten } from "../../kernel/shorten.ts";
import type { MessagePart, MessageText } from "./message-text.ts";

/** Slack's limits, in characters and blocks. */
const HEADER_LENGTH = 150;
const TEXT_LENGTH = 3_000;
const MAX_BLOCKS = 50;

type SlackText =
  | { readonly type: "plain_text"; readonly text: string; readonly emoji: false }
  | { readonly type: "mrkdwn"; readonly text: string; readonly verbatim: true };

export type SlackBlock =
  | { readonly type: "header"; readonly text: SlackText }
  | { readonly type: "section"; readonly text: SlackText }
  | { readonly type: "context"; readonly elements: readonly SlackText[] };

/**
 * Formats a message as the body of a request to a Slack incoming webhook, in Block Kit. Text from outside is in `plain_text` objects, where no formatting, mention or emoji code works; links
 * are the only `mrkdwn`, and their labels are words of templates.
 */
export function formatSlackMessage({ title, parts, footer }: MessageText) {
  const header: SlackBlock = { type: "header", text: toPlain(title, HEADER_LENGTH) };
  const last: SlackBlock = { type: "context", elements: [toPlain(footer, TEXT_LENGTH)] };
  const blocks = parts.flatMap(formatPart).slice(0, MAX_BLOCKS - 2);
  return {
    /** Shown by notifications and screen readers. */
    text: escapeSlack(shorten(title, TEXT_LENGTH / 5)),
    blocks: [header, ...blocks, last],
    unfurl_links: false,
    unfurl_media: false,
  };
}

function formatPart({ heading, lines, links }: MessagePart): readonly SlackBlock[] {
  const text = [...(heading === null ? [] : [heading]), ...lines].join("\n");
  return [
    ...(text === "" ? [] : [{ type: "section" as const, text: toPlain(text, TEXT_LENGTH) }]),
    ...(links.length === 0 ? [] : [formatLinks(links)]),
  ];
}

const formatLinks = (links: MessagePart["links"]): SlackBlock => ({
  type: "context",
  elements: [{ type: "mrkdwn", text: links.map(formatLink).join("   "), verbatim: true }],
});

/** `parseLinkTarget` leaves no `<`, `>` or `|` in a URL. */
const formatLink = ({ label, url }: MessagePart["links"][number]): string =>
  `<${escapeSlack(url)}|${escapeSlack(label)}>`;

const toPlain = (text: string, most: number): SlackText => ({
  type: "plain_text",
  text: shorten(text, most),
  emoji: false,
});

/** Slack's three control characters; without them nothing begins a link, a mention or a special command. */
const escapeSlack = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
