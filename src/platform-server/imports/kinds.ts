import type { ImportKindName } from "../../platform/contract/own-operations.ts";
import { anomalyImport } from "../anomalies/import.ts";
import type { ImportKind } from "../area/import-kind.ts";
import { evaluationImport, promptImport } from "../governance/import.ts";
import { recommendationsImport } from "../recommendations/import.ts";
import { billingImport, perspectivesImport } from "../unit-metrics/import.ts";

export const KINDS: { readonly [Name in ImportKindName]: ImportKind } = {
  recommendations: recommendationsImport,
  anomalies: anomalyImport,
  evaluations: evaluationImport,
  billing: billingImport,
  prompts: promptImport,
  perspectives: perspectivesImport,
};
