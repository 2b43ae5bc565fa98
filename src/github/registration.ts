import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { readData, toResult } from "./client/read-answer.ts";
import { failed, type GitHubResult } from "./client/result.ts";

/** What `app.yml` says of the App, in the words of GitHub's manifest. */
export const AppDefinition = z.object({
  name: z.string(),
  description: z.string(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.enum(["read", "write"])),
  default_events: z.array(z.string()),
});
export type AppDefinition = z.infer<typeof AppDefinition>;

/** Whose App it becomes. GitHub registers it under the account that owns it. */
export type AppOwner =
  | { readonly kind: "personal" }
  | { readonly kind: "organization"; readonly login: string };

/** Where GitHub sends the browser after the registration, below the address of the setup pages. */
const REGISTERED_PATH = "/setup/registered";
/** Where GitHub sends a person who has installed the App, below the public address. */
const INSTALLED_PATH = "/setup/installed";
/** Where GitHub sends a person who signs in, below the public address. */
const CALLBACK_PATH = "/sign-in/callback";
const WEBHOOK_PATH = "/api/github/webhooks";

/**
 * The manifest that GitHub registers, as JSON
 * (https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest). Without a public address the App
 * is made without a webhook and without a callback URL, which are then entered at GitHub. Both addresses are without a slash at the end.
 */
export function buildAppManifest(
  definition: AppDefinition,
  { setupUrl, publicUrl }: { readonly setupUrl: string; readonly publicUrl: string | null },
): string {
  const hook =
    publicUrl === null
      ? {}
      : {
          hook_attributes: { url: `${publicUrl}${WEBHOOK_PATH}` },
          setup_url: `${publicUrl}${INSTALLED_PATH}`,
          callback_urls: [`${publicUrl}${CALLBACK_PATH}`],
          request_oauth_on_install: false,
        };
  const redirect_url = `${setupUrl}${REGISTERED_PATH}`;
  return JSON.stringify({ ...definition, ...hook, url: publicUrl ?? setupUrl, redirect_url });
}

/** The page of GitHub that takes a manifest. It hands `state` back with the code of the registration. */
export function buildRegistrationUrl(pagesUrl: string, owner: AppOwner, state: string): string {
  const account = owner.kind === "organization" ? `organizations/${encodeURIComponent(owner.login)}/` : "";
  return `${pagesUrl}/${account}settings/apps/new?state=${encodeURIComponent(state)}`;
}

/** GitHub's codes are 40 hexadecimal digits; what a browser brings may be anything. */
const CODE = /^[A-Za-z0-9_-]{1,128}$/;

const Registered = z
  .object({
    id: z.int().positive(),
    pem: z.string().includes("-----BEGIN"),
    webhook_secret: z.string().min(20),
    client_id: z.string().min(1).nullish(),
    client_secret: z.string().min(1).nullish(),
    html_url: z.url({ protocol: /^https?$/ }),
  })
  .transform(({ client_id: clientId, client_secret: clientSecret, ...app }) => ({
    appId: app.id,
    /** PEM. */
    privateKey: app.pem,
    webhookSecret: app.webhook_secret,
    /** With which people sign in; null: GitHub's answer has none. */
    signIn: clientId && clientSecret ? { clientId, clientSecret } : null,
    /** The App's page, where it is installed. */
    pageUrl: app.html_url,
  }));
/** An App that GitHub just registered, with the credentials that it shows once. */
export type RegisteredApp = Readonly<z.infer<typeof Registered>>;

/**
 * Exchanges the code of a registration for the App's credentials, which GitHub does once and within an hour
 * (https://docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest).
 */
export async function exchangeCode(octokit: Octokit, code: string): Promise<GitHubResult<RegisteredApp>> {
  if (!CODE.test(code)) return failed("rejected", "this is no code of a registration");
  return toResult(readData(octokit.rest.apps.createFromManifest({ code }), Registered));
}
