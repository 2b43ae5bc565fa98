import { z } from "zod";
import { failed, type GitHubResult, succeeded } from "../client/answer.ts";
import type { createGuardedFetch } from "../client/guarded-fetch.ts";

/** An App that GitHub just registered, with the credentials that it shows once. */
export interface RegisteredApp {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** The App's page, where it is installed. */
  readonly pageUrl: string;
}

/** GitHub's codes are 40 hexadecimal digits; what a browser brings may be anything. */
const CODE = /^[A-Za-z0-9_-]{1,128}$/;

const Registered = z.object({
  id: z.int().positive(),
  pem: z.string().includes("-----BEGIN"),
  webhook_secret: z.string().min(20),
  html_url: z.url({ protocol: /^https?$/ }),
});

/**
 * Exchanges the code of a registration for the App's credentials, which GitHub does once and within an hour
 * (https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest). `fetch` keeps to GitHub's origin and to its limits.
 */
export async function exchangeCode(
  { apiUrl, fetch }: { readonly apiUrl: string; readonly fetch: ReturnType<typeof createGuardedFetch> },
  code: string,
): Promise<GitHubResult<RegisteredApp>> {
  if (!CODE.test(code)) return failed("rejected", "this is no code of a registration");
  const response = await fetch(`${apiUrl}/app-manifests/${code}/conversions`, {
    method: "POST",
    headers: { accept: "application/vnd.github+json" },
  }).catch(() => null);
  if (response === null) return failed("unavailable", "GitHub does not answer");
  if (response.status === 404)
    return failed("not_found", "GitHub does not know the code, or it was used before");
  if (!response.ok) return failed("unavailable", `GitHub answered ${response.status}`);
  const parsed = Registered.safeParse(await response.json().catch(() => null));
  if (!parsed.success) return failed("malformed", "GitHub's answer does not hold the App's credentials");
  const { id: appId, pem: privateKey, webhook_secret: webhookSecret, html_url: pageUrl } = parsed.data;
  return succeeded({ appId, privateKey, webhookSecret, pageUrl });
}
