import { z } from "zod";

// Written from Slack's reference of Block Kit (header, section and context blocks, text objects, limits) and Microsoft's schema of
// Adaptive Cards 1.4 (RichTextBlock, TextRun, Action.OpenUrl) with Teams' limits. Strict: what the references do not name is refused.

const plainText = (most: number) =>
  z.strictObject({
    type: z.literal("plain_text"),
    text: z.string().min(1).max(most),
    emoji: z.boolean().optional(),
  });
const mrkdwn = z.strictObject({
  type: z.literal("mrkdwn"),
  text: z.string().min(1).max(3_000),
  verbatim: z.boolean().optional(),
});

const SlackBlock = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("header"), text: plainText(150) }),
  z.strictObject({ type: z.literal("section"), text: z.union([plainText(3_000), mrkdwn]) }),
  z.strictObject({
    type: z.literal("context"),
    elements: z
      .array(z.union([plainText(3_000), mrkdwn]))
      .min(1)
      .max(10),
  }),
]);

/** The body that an incoming webhook of Slack takes. */
export const SlackPayload = z.strictObject({
  text: z.string().min(1).max(40_000),
  blocks: z.array(SlackBlock).min(1).max(50),
  unfurl_links: z.boolean(),
  unfurl_media: z.boolean(),
});

const OpenUrl = z.strictObject({
  type: z.literal("Action.OpenUrl"),
  title: z.string().min(1),
  url: z.url(),
});
const TextRun = z.strictObject({
  type: z.literal("TextRun"),
  text: z.string().min(1),
  weight: z.enum(["Lighter", "Default", "Bolder"]).optional(),
  size: z.enum(["Small", "Default", "Medium", "Large", "ExtraLarge"]).optional(),
  isSubtle: z.boolean().optional(),
  selectAction: OpenUrl.optional(),
});
const RichTextBlock = z.strictObject({
  type: z.literal("RichTextBlock"),
  inlines: z.array(TextRun).min(1),
  separator: z.boolean().optional(),
});

/** The body that a Teams workflow "post to a channel when a webhook request is received" takes. */
export const TeamsPayload = z.strictObject({
  type: z.literal("message"),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal("application/vnd.microsoft.card.adaptive"),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal("http://adaptivecards.io/schemas/adaptive-card.json"),
        type: z.literal("AdaptiveCard"),
        version: z.literal("1.4"),
        fallbackText: z.string().min(1),
        body: z.array(RichTextBlock).min(1),
        actions: z.array(OpenUrl).max(6),
      }),
    }),
  ]),
});

/** Most bytes of a message that Teams accepts. */
export const TEAMS_BYTES = 28 * 1_024;
