import type { StageReport } from "./report.ts";

/**
 * Returns the key of a stage, unique per org, project and workspace; of an execution whose workspaces are
 * unknown, another one than that of each workspace. Slashes in the names of orgs and projects are escaped, so
 * that they differ from the separators.
 */
export const buildStageKey = ({
  org,
  project,
  workspace,
  isUnread,
}: Pick<StageReport, "org" | "project" | "workspace" | "isUnread">): string =>
  `${[org, project].map((name) => name.replace(/[%/]/g, encodeURIComponent)).join("/")}${isUnread === true ? "?" : "/"}${workspace}`;

type StageNameSource = Pick<StageReport, "name" | "workspace" | "project" | "org" | "isUnread">;

/**
 * Creates a function that labels each stage with the shortest unique one of: name, workspace,
 * project/workspace, org/project/workspace.
 */
export function createStageLabels(stages: readonly StageNameSource[]): (stage: StageNameSource) => string {
  const forms = FORMS.map((form) => ({ form, uses: countBy(stages.map(form)) }));
  return (stage) =>
    forms.find(({ form, uses }) => uses.get(form(stage)) === 1)?.form(stage) ?? buildStageKey(stage);
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
