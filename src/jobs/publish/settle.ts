import { TollgateError } from "../../kernel/errors.ts";
import type { Log } from "../deps.ts";
import type { Published } from "./outcome.ts";

/**
 * Ends a write: what GitHub refuses for good is logged, what failed is thrown to be tried again.
 *
 * @throws TollgateError `github_failed`, retryable
 */
export function settle({ log }: { readonly log: Log }, published: Published): void {
  if (published.state === "published" || published.state === "superseded") return;
  const { failure } = published;
  if (published.state === "failed") {
    throw new TollgateError("github_failed", `GitHub did not take it: ${failure?.kind}`, { retryable: true });
  }
  log.warn({ status: failure?.status ?? null }, "GitHub refuses what was to be published");
}
