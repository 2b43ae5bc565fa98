import type { ImportKindName } from "../../platform/contract/imports.ts";
import { anomalyImport } from "../anomalies/import.ts";
import type { AnomalyTables } from "../anomalies/store/tables.ts";
import type { ImportKind } from "../area/import-kind.ts";
import { evaluationImport, promptImport } from "../governance/import.ts";
import type { GovernanceTables } from "../governance/store/prompts.ts";
import { recommendationsImport } from "../recommendations/import.ts";
import type { RecommendationTables } from "../recommendations/store/tables.ts";
import { billingImport, perspectivesImport } from "../unit-metrics/import.ts";
import type { UnitMetricTables } from "../unit-metrics/store/tables.ts";
import type { ImportTables } from "./store/uploads.ts";

/** The tables that imports write: those of each area with a kind, and those of the uploaded pages. */
export type ImportedTables = AnomalyTables &
  GovernanceTables &
  ImportTables &
  RecommendationTables &
  UnitMetricTables;

/** Every kind of import by name. */
export const KINDS: { readonly [Name in ImportKindName]: ImportKind<ImportedTables> } = {
  recommendations: recommendationsImport,
  anomalies: anomalyImport,
  evaluations: evaluationImport,
  billing: billingImport,
  prompts: promptImport,
  perspectives: perspectivesImport,
};
