import { anomalyCases } from "./anomalies.ts";
import type { AllCases } from "./case.ts";
import { executionCases } from "./executions.ts";
import { flagKeyCases } from "./flag-keys.ts";
import { governanceCases } from "./governance.ts";
import { ourCases } from "./ours.ts";
import { settingsCases } from "./settings.ts";
import { unitMetricCases } from "./unit-metrics.ts";

/** A case of every endpoint of the contract. */
export const CASES: Partial<AllCases> = {
  ...flagKeyCases,
  ...governanceCases,
  ...anomalyCases,
  ...unitMetricCases,
  ...settingsCases,
  ...executionCases,
  ...ourCases,
};
