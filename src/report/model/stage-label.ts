import type { StageReport } from "./report.ts";

/** Tells the stages of one report apart: there is one per org, project and workspace. A slash in a name does not look like one between names. */
export const stageKey = ({
  org,
  project,
  workspace,
}: Pick<StageReport, "org" | "project" | "workspace">): string =>
  `${[org, project].map((name) => name.replace(/[%/]/g, encodeURIComponent)).join("/")}/${workspace}`;

type StageNameSource = Pick<StageReport, "name" | "workspace" | "project" | "org">;

/** What to call each stage: the shortest of name, workspace, project/workspace, org/project/workspace that no other has. */
export function createStageLabels(stages: readonly StageNameSource[]): (stage: StageNameSource) => string {
  const forms = FORMS.map((form) => ({ form, uses: countBy(stages.map(form)) }));
  return (stage) =>
    forms.find(({ form, uses }) => uses.get(form(stage)) === 1)?.form(stage) ?? stageKey(stage);
}

const FORMS: readonly ((stage: StageNameSource) => string)[] = [
  ({ name }) => name,
  ({ workspace }) => workspace,
  ({ project, workspace }) => `${project}/${workspace}`,
];

function countBy(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
