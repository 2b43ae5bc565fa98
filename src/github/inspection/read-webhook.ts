import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { type GitHubResult, succeeded } from "../client/result.ts";
import { toResult } from "../client/to-result.ts";

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
export async function readWebhookConfig(octokit: Octokit): Promise<GitHubResult<WebhookConfig>> {
  const config = await toResult(octokit.rest.apps.getWebhookConfigForApp(), Config);
  if (!config.ok) return config;
  const { url, content_type, insecure_ssl } = config.value;
  return succeeded({
    url,
    isJson: content_type === "json",
    verifiesCertificate: String(insecure_ssl) === "0",
  });
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
export const listRecentDeliveries = (octokit: Octokit): Promise<GitHubResult<readonly RecordedDelivery[]>> =>
  toResult(octokit.rest.apps.listWebhookDeliveries({ per_page: 100 }), z.array(Delivery));
