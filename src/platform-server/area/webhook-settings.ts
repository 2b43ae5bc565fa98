import type { Seal } from "../../store/seal.ts";
import { createTargetGuard, type Resolve, resolveBySystem, type TargetGuard } from "./target-guard.ts";

export interface WebhookSettings {
  /** Word in the names of the delivery headers: `X-<Identity>-Signature`; null: the one of the answer's dialect. */
  readonly identity: string | null;
  /** Version after the identity in `User-Agent`. */
  readonly version: string;
  readonly guard: TargetGuard;
  readonly resolve: Resolve;
  /** Encrypts secrets that must be read back later; null: there is no `TOLLGATE_KEY`, so they are not stored. */
  readonly seal: Seal | null;
  /** Values of the secrets that webhooks of registries refer to. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
}

/** The defaults: public addresses only, no stored secrets, and the platform's own limit of 10 s. */
export const STRICT_WEBHOOKS: WebhookSettings = {
  identity: null,
  version: "1",
  guard: createTargetGuard([]),
  resolve: resolveBySystem,
  seal: null,
  secrets: new Map(),
  timeoutMs: 10_000,
};
