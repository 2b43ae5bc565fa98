import { shorten } from "../../kernel/shorten.ts";
import type { MessagePart, MessageText } from "./message-text.ts";

/** In characters. */
const LINE_LENGTH = 400;
/** Teams refuses messages above 28 KB. The parts of a message may take this many bytes of JSON. */
const PARTS_BYTES = 24_000;
const MAX_ACTIONS = 6;

interface TextRun {
  readonly type: "TextRun";
  readonly text: string;
  readonly weight?: "Bolder";
  readonly isSubtle?: true;
  readonly size?: "Medium" | "Small";
  readonly selectAction?: OpenUrl;
}

interface OpenUrl {
  readonly type: "Action.OpenUrl";
  readonly title: string;
  readonly url: string;
}

interface RichText {
  readonly type: "RichTextBlock";
  readonly inlines: readonly TextRun[];
  readonly separator?: true;
}

/**
 * Formats a message as the body of a request to a Teams workflow: a message with one Adaptive Card. All text is in `TextRun` elements: unlike a `TextBlock` they know no Markdown, so that text
 * from outside has no effect.
 */
export function formatTeamsMessage({ title, parts, footer }: MessageText) {
  const [only] = parts.length === 1 ? parts : [];
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    fallbackText: shorten(title, LINE_LENGTH),
    body: [
      createText([{ text: title, weight: "Bolder", size: "Medium" }]),
      ...limitBytes(parts.map((part) => formatPart(part, part !== only))),
      createText([{ text: footer, isSubtle: true, size: "Small" }]),
    ],
    actions: (only?.links ?? []).slice(0, MAX_ACTIONS).map(toAction),
  } as const;
  const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content };
  return { type: "message", attachments: [attachment] as const };
}

/** The first parts that fit, and the number of the others. */
function limitBytes(parts: readonly (readonly RichText[])[]): readonly RichText[] {
  const sizes = parts.map((part) => Buffer.byteLength(JSON.stringify(part)));
  const fitting = parts.filter(
    (_, at) => sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0) <= PARTS_BYTES,
  );
  const left = parts.length - fitting.length;
  return [...fitting.flat(), ...(left === 0 ? [] : [createText([{ text: `… +${left}` }])])];
}

/** In a digest, each part has its own links; of a single part, they are the actions of the card. */
function formatPart({ heading, lines, links }: MessagePart, isListed: boolean): readonly RichText[] {
  return [
    ...(heading === null
      ? []
      : [{ ...createText([{ text: heading, weight: "Bolder" }]), separator: true as const }]),
    ...lines.map((text) => createText([{ text }])),
    ...(isListed && links.length > 0
      ? [createText(links.map((link) => ({ text: `${link.label}  `, selectAction: toAction(link) })))]
      : []),
  ];
}

const createText = (runs: readonly Omit<TextRun, "type">[]): RichText => ({
  type: "RichTextBlock",
  inlines: runs.map((run) => ({ ...run, type: "TextRun", text: shorten(run.text, LINE_LENGTH) })),
});

const toAction = ({ label: title, url }: MessagePart["links"][number]): OpenUrl => ({
  type: "Action.OpenUrl",
  title,
  url,
});
