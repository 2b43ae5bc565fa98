import { canonicalJson } from "../../kernel/canonical-json.ts";
import type { Report } from "../../report/model/report.ts";
import { buildStageKey } from "../../report/model/stage-label.ts";
import type { GroundStage } from "../model/approval.ts";
import type { Rule } from "../model/policy.ts";

/** The stages that a pull request touches, sorted. */
export const readGround = ({ stages }: Report): readonly GroundStage[] =>
  stages
    .map((stage) => ({ stage: buildStageKey(stage), currency: stage.currency }))
    .sort((a, b) => (a.stage < b.stage ? -1 : Number(a.stage > b.stage)));

/** The figures that a condition may depend on, as one text: equal for equal reports. */
export const serializeFigures = ({ totals, stages, changes }: Report): string =>
  canonicalJson([
    totals,
    stages.map(({ counts, before, after, change }) => [counts, before, after, change]),
    changes,
  ]);

export const isSameGround = (a: readonly GroundStage[], b: readonly GroundStage[]): boolean =>
  a.length === b.length &&
  a.every(({ stage, currency }, index) => stage === b[index]?.stage && currency === b[index]?.currency);

/** The rule as one text: equal for equal rules, because the reader writes members in one order. */
export const serializeRule = ({ limit, per, scope, enforceIn, approve }: Rule): string =>
  JSON.stringify({ limit, per, scope, enforceIn, approve });
