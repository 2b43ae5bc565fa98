import { setTimeout as sleep } from "node:timers/promises";
import { createAppAuth } from "@octokit/auth-app";
import { resolveGitHubApiUrl } from "../../github/client/api-addresses.ts";
import type { Fetch } from "../../github/client/guarded-fetch.ts";
import { createOctokit } from "../../github/client/octokit.ts";
import { readRegisteredApp } from "../../github/inspection/read-app.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CredentialsForm, FormValues } from "../../web/setup/form.ts";

export type VerifiedCredentials =
  | { readonly ok: true; readonly pageUrl: string }
  | { readonly ok: false; readonly problems: FormValues };

/** Asks GitHub whether it knows an App with this ID and this key. Problems are sentences by field of the form. */
export async function verifyCredentials(
  { appId, privateKey, gheHost }: CredentialsForm,
  { fetch, clock }: { readonly fetch: Fetch; readonly clock: Clock },
): Promise<VerifiedCredentials> {
  const calls = { apiUrl: resolveGitHubApiUrl(gheHost), fetch, clock, wait: (ms: number) => sleep(ms) };
  const octokit = createOctokit(calls, { authStrategy: createAppAuth, auth: { appId, privateKey } });
  const app = await readRegisteredApp(octokit);
  if (app.ok) return { ok: true, pageUrl: app.value.html_url };
  const { kind } = app.failure;
  if (kind === "unauthorised" || kind === "not_found")
    return {
      ok: false,
      problems: {
        app_id: "GitHub knows no App with this ID and this private key. Compare both with its settings page.",
      },
    };
  return {
    ok: false,
    problems: { existing_host: "GitHub does not answer there. Correct the host, or try again." },
  };
}
