import type { Notification } from "../policy/notifications/notification.ts";
import type { Mail } from "../render/notifications/mail.ts";
import type { MessageText } from "../render/notifications/message-text.ts";

/** How a target is reached. Only the operator's settings state it. */
export type TargetAddress =
  | { readonly kind: "slack" | "teams"; readonly url: string }
  | { readonly kind: "webhook"; readonly url: string; readonly secret: string }
  | {
      readonly kind: "email";
      /** `smtp://` or `smtps://`, perhaps with user and password. */
      readonly smtp: string;
      readonly from: string;
      readonly to: readonly string[];
    };

export type DeliveryTarget = TargetAddress & {
  readonly name: string;
  /** Most messages in any minute. */
  readonly per_minute: number;
};

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What one attempt came to. `problem` is in our own words: it quotes neither the address nor the answer, which may contain secrets. */
export type SendResult =
  | { readonly state: "sent" }
  /** `afterMs`: the target asks to wait as long; null: it does not say. */
  | { readonly state: "unavailable"; readonly problem: string; readonly afterMs: number | null }
  /** The same message would be refused again. */
  | { readonly state: "refused"; readonly problem: string };

/** Ways out of the process; each has a time limit, follows no redirect, and never throws. */
export interface Senders {
  post(request: PostRequest): Promise<SendResult>;
  mail(mail: Mail & { readonly id: string }, address: TargetAddress & { kind: "email" }): Promise<SendResult>;
}

export interface SentMessage {
  /** The same for each attempt, so that a receiver can recognise a message that arrives twice. */
  readonly id: string;
  readonly text: MessageText;
  readonly notifications: readonly Notification[];
  /** When it is sent, in ms since 1970. */
  readonly nowMs: number;
}
