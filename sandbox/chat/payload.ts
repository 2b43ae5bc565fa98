import { z } from "zod";

const PlainText = z.object({ type: z.literal("plain_text"), text: z.string().min(1).max(3_000) });
const Mrkdwn = z.object({ type: z.literal("mrkdwn"), text: z.string().min(1).max(3_000) });
const AnyText = z.discriminatedUnion("type", [PlainText, Mrkdwn]);
export type ChatText = z.infer<typeof AnyText>;

const Block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("header"), text: PlainText.extend({ text: z.string().min(1).max(150) }) }),
  z.object({ type: z.literal("section"), text: AnyText }),
  z.object({ type: z.literal("context"), elements: z.array(AnyText).min(1).max(10) }),
]);
export type ChatBlock = z.infer<typeof Block>;

/** The body of a request to an incoming webhook, as far as this stand-in shows it. */
export const ChatPayload = z.object({ text: z.string().min(1), blocks: z.array(Block).min(1).max(50) });
