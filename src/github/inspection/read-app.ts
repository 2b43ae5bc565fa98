import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { InstallationAccount } from "../app.ts";
import { parseAnswer, readData, readPages } from "../client/read-answer.ts";

/** Access by the name of a permission, such as `checks`. */
const Permissions = z.record(z.string(), z.string());

const App = z.object({
  id: z.int().positive(),
  /** Servers of before 2024 do not state it. */
  client_id: z.string().optional(),
  name: z.string(),
  html_url: z.string(),
  /** Who registered it; null: not stated. */
  owner: z.object({ login: z.string(), type: z.string().optional() }).nullish().catch(null),
  permissions: Permissions,
  events: z.array(z.string()),
});

export type RegisteredIdentity = Readonly<z.infer<typeof App>> & {
  /** GitHub's time of its answer, in ms since 1970; null: not stated. */
  readonly serverTimeMs: number | null;
};

/** The App of the credentials (https://docs.github.com/rest/apps/apps#get-the-authenticated-app). */
export async function readRegisteredApp(octokit: Octokit): Promise<RegisteredIdentity> {
  const { data, headers } = await octokit.rest.apps.getAuthenticated();
  const serverTimeMs = Date.parse(headers.date ?? "");
  return { ...parseAnswer(App, data), serverTimeMs: Number.isNaN(serverTimeMs) ? null : serverTimeMs };
}

/** An installation with what its owner consented to. */
export type ConsentedInstallation = Readonly<z.infer<typeof Installation>>;

const Installation = z
  .object({
    id: z.int().positive(),
    account: InstallationAccount,
    repository_selection: z.enum(["all", "selected"]),
    html_url: z.string(),
    permissions: Permissions,
    suspended_at: z.string().nullish(),
  })
  .transform(({ id, account, permissions, ...row }) => ({
    ...{ id, permissions, accountId: account.id },
    account: account.login ?? account.slug ?? String(account.id),
    isOrganisation: account.type === "Organization",
    coversAll: row.repository_selection === "all",
    isSuspended: typeof row.suspended_at === "string",
    /** The page on which its owner reviews it. */
    pageUrl: row.html_url,
  }));

const MAX_PAGES = 50;

export const listConsentedInstallations = (octokit: Octokit): Promise<readonly ConsentedInstallation[]> =>
  readPages((page) => octokit.rest.apps.listInstallations(page), z.array(Installation), MAX_PAGES);

/** `url` is empty where none is set. */
export type WebhookConfig = Readonly<z.infer<typeof WebhookConfig>>;

const WebhookConfig = z
  .object({
    url: z.string().default(""),
    content_type: z.string().default(""),
    insecure_ssl: z.union([z.string(), z.number()]).default("0"),
  })
  .transform(({ url, content_type, insecure_ssl }) => ({
    url,
    isJson: content_type === "json",
    verifiesCertificate: String(insecure_ssl) === "0",
  }));

/** The App's webhook (https://docs.github.com/rest/apps/webhooks). */
export const readWebhookConfig = (octokit: Octokit): Promise<WebhookConfig> =>
  readData(octokit.rest.apps.getWebhookConfigForApp(), WebhookConfig);

const Delivery = z.object({
  delivered_at: z.string(),
  event: z.string(),
  action: z.string().nullish(),
  /** 0: nothing answered. */
  status_code: z.int(),
});
export type RecordedDelivery = Readonly<z.infer<typeof Delivery>>;

/** The App's last deliveries, newest first, at most 100. */
export const listRecentDeliveries = (octokit: Octokit): Promise<readonly RecordedDelivery[]> =>
  readData(octokit.rest.apps.listWebhookDeliveries({ per_page: 100 }), z.array(Delivery));
