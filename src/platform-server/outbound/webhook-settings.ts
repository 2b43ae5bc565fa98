import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import type { SecretBox } from "./secret-box.ts";
import { type Resolve, resolveBySystem } from "./targets/connect.ts";
import { createTargetGuard, type TargetGuard } from "./targets/guard.ts";

/** What the operator decides about webhooks. */
export interface WebhookSettings {
  /** Word in the names of our headers: `X-<Identity>-Signature`; null: the one of the dialect that is answered in. */
  readonly identity: string | null;
  /** Follows the identity in `User-Agent`. */
  readonly version: string;
  readonly guard: TargetGuard;
  readonly resolve: Resolve;
  /** Null: there is no `TOLLGATE_KEY`, so nothing secret is stored. */
  readonly box: SecretBox | null;
  /** Values of the secrets that webhooks of registries name. */
  readonly secrets: ReadonlyMap<string, string>;
  /** For a whole delivery, in ms. */
  readonly timeoutMs: number;
}

/** For one delivery, from the connection to the end of the answer (platform's own limit). */
export const DELIVERY_MS = 10_000;

/** As without any setting: public addresses only, no stored secrets. */
export const STRICT_WEBHOOKS: WebhookSettings = {
  identity: null,
  version: "1",
  guard: createTargetGuard([]),
  resolve: resolveBySystem,
  box: null,
  secrets: new Map(),
  timeoutMs: DELIVERY_MS,
};

/** As `WebhookSettings`, with the identity that is used. */
export type DeliverySettings = WebhookSettings & { readonly identity: string };

const IDENTITIES: Readonly<Record<DialectName, string>> = { neutral: "Platform", live: "Harness" };

export const createDeliverySettings = (
  webhooks: WebhookSettings,
  dialect: DialectName,
): DeliverySettings => ({
  ...webhooks,
  identity: webhooks.identity ?? IDENTITIES[dialect],
});
