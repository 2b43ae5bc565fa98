/** One evaluation of a governance rule. */
export interface PlatformEvaluationsTable {
  account: string;
  id: string;
  /** Milliseconds since 1970. */
  time_ms: number;
  cloud_provider: string;
  status: string;
}

/** A resource type for which rules can be generated, with or without a sample rule. */
export interface PlatformPromptsTable {
  account: string;
  id: string;
  cloud_provider: string;
  resource_type: string;
  description: string | null;
  rule_yaml: string | null;
}

/** The governance engine's results and prompts; keyed by account id. */
export interface GovernanceTables {
  platform_evaluations: PlatformEvaluationsTable;
  platform_prompts: PlatformPromptsTable;
}
