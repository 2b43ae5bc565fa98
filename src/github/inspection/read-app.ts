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
  permissions: Permissions,
  events: z.array(z.string()),
});

/** The App as GitHub registered it. */
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

const Installation = z.object({
  id: z.int().positive(),
  account: InstallationAccount,
  repository_selection: z.enum(["all", "selected"]),
  html_url: z.string(),
  permissions: Permissions,
  suspended_at: z.string().nullish(),
});

/** An installation with what its owner consented to. */
export interface ConsentedInstallation {
  readonly id: number;
  readonly accountId: number;
  readonly account: string;
  readonly isOrganisation: boolean;
  readonly coversAll: boolean;
  readonly isSuspended: boolean;
  readonly permissions: Readonly<Record<string, string>>;
  /** The page on which its owner reviews it. */
  readonly pageUrl: string;
}

const MAX_PAGES = 50;

export async function listConsentedInstallations(
  octokit: Octokit,
): Promise<readonly ConsentedInstallation[]> {
  const listed = await readPages(
    (page) => octokit.rest.apps.listInstallations(page),
    z.array(Installation),
    MAX_PAGES,
  );
  return listed.map(toInstallation);
}

const toInstallation = ({ id, account, ...row }: z.infer<typeof Installation>): ConsentedInstallation => ({
  id,
  accountId: account.id,
  account: account.login ?? account.slug ?? String(account.id),
  isOrganisation: account.type === "Organization",
  coversAll: row.repository_selection === "all",
  isSuspended: typeof row.suspended_at === "string",
  permissions: row.permissions,
  pageUrl: row.html_url,
});

const Config = z.object({
  url: z.string().default(""),
  content_type: z.string().default(""),
  insecure_ssl: z.union([z.string(), z.number()]).default("0"),
});

export interface WebhookConfig {
  /** Empty: none is set. */
  readonly url: string;
  readonly isJson: boolean;
  readonly verifiesCertificate: boolean;
}

/** The App's webhook (https://docs.github.com/rest/apps/webhooks). */
export async function readWebhookConfig(octokit: Octokit): Promise<WebhookConfig> {
  const call = octokit.rest.apps.getWebhookConfigForApp();
  const { url, content_type, insecure_ssl } = await readData(call, Config);
  return { url, isJson: content_type === "json", verifiesCertificate: String(insecure_ssl) === "0" };
}

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
