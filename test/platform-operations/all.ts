import { anomalyCases } from "./anomalies.ts";
import type { AllCases } from "./case.ts";
import { codeWebhookCases } from "./code-webhooks.ts";
import { executionCases } from "./executions.ts";
import { flagKeyCases } from "./flag-keys.ts";
import { governanceCases } from "./governance.ts";
import { ourCases } from "./own-operations.ts";
import { recommendationCases } from "./recommendations.ts";
import { registryWebhookCases } from "./registry-webhooks.ts";
import { settingsCases } from "./settings.ts";
import { unitMetricCases } from "./unit-metrics.ts";
import { emitCases } from "./webhooks-emit.ts";

/** A case of every endpoint of the contract: one that is missing does not compile. */
export const CASES: AllCases = {
  ...flagKeyCases,
  ...registryWebhookCases,
  ...codeWebhookCases,
  ...governanceCases,
  ...recommendationCases,
  ...anomalyCases,
  ...unitMetricCases,
  ...settingsCases,
  ...executionCases,
  ...ourCases,
  ...emitCases,
};
