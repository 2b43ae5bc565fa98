import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { failed, type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";

/** An App that GitHub just registered, with the credentials that it shows once. */
export interface RegisteredApp {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** With which people sign in; null: GitHub's answer has none. */
  readonly signIn: { readonly clientId: string; readonly clientSecret: string } | null;
  /** The App's page, where it is installed. */
  readonly pageUrl: string;
}

/** GitHub's codes are 40 hexadecimal digits; what a browser brings may be anything. */
const CODE = /^[A-Za-z0-9_-]{1,128}$/;

const Registered = z.object({
  id: z.int().positive(),
  pem: z.string().includes("-----BEGIN"),
  webhook_secret: z.string().min(20),
  client_id: z.string().min(1).nullish(),
  client_secret: z.string().min(1).nullish(),
  html_url: z.url({ protocol: /^https?$/ }),
});

/**
 * Exchanges the code of a registration for the App's credentials, which GitHub does once and within an hour
 * (https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest).
 */
export async function exchangeCode(octokit: Octokit, code: string): Promise<GitHubResult<RegisteredApp>> {
  if (!CODE.test(code)) return failed("rejected", "this is no code of a registration");
  const answer = await toResult(octokit.rest.apps.createFromManifest({ code }), Registered);
  if (!answer.ok) return answer;
  const { id: appId, pem: privateKey, webhook_secret: webhookSecret, html_url: pageUrl } = answer.value;
  const { client_id: clientId, client_secret: clientSecret } = answer.value;
  const signIn = clientId && clientSecret ? { clientId, clientSecret } : null;
  return succeeded({ appId, privateKey, webhookSecret, signIn, pageUrl });
}
