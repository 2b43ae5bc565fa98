import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import { createTargetGuard, type Resolve, resolveBySystem, type TargetGuard } from "./guard.ts";
import type { SecretBox } from "./secret-box.ts";

/** The operator's settings for webhooks. */
export interface WebhookSettings {
  /**
   * Word in the names of the delivery headers: `X-<Identity>-Signature`; null: the one of the answer's
   * dialect.
   */
  readonly identity: string | null;
  /** Version after the identity in `User-Agent`. */
  readonly version: string;
  readonly guard: TargetGuard;
  readonly resolve: Resolve;
  /** Null: there is no `TOLLGATE_KEY`, so secrets are not stored. */
  readonly box: SecretBox | null;
  /** Values of the secrets that webhooks of registries refer to. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Time limit of a whole delivery, in ms. */
  readonly timeoutMs: number;
}

/**
 * Time limit of one delivery from the connection to the end of the answer, in ms (the platform's own limit).
 */
export const DELIVERY_MS = 10_000;

/** The defaults: public addresses only, no stored secrets. */
export const STRICT_WEBHOOKS: WebhookSettings = {
  identity: null,
  version: "1",
  guard: createTargetGuard([]),
  resolve: resolveBySystem,
  box: null,
  secrets: new Map(),
  timeoutMs: DELIVERY_MS,
};

/** `WebhookSettings` with a definite identity. */
export type DeliverySettings = WebhookSettings & { readonly identity: string };

const IDENTITIES: Readonly<Record<DialectName, string>> = { neutral: "Platform", live: "Harness" };

export const createDeliverySettings = (
  webhooks: WebhookSettings,
  dialect: DialectName,
): DeliverySettings => ({
  ...webhooks,
  identity: webhooks.identity ?? IDENTITIES[dialect],
});
