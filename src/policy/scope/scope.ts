import { compileGlob } from "../../kernel/glob.ts";
import { narrowReport, type PartName, type StageChoice } from "../../report/narrow.ts";
import type { Report, StageReport } from "../../report/report.ts";
import type { JudgeContext } from "../context.ts";
import type { Scope } from "../policy.ts";

/** Whether a scope is about this pull request at all. What is not known (a gone author, paths that GitHub does not list) is in it. */
export function isAbout(scope: Scope | null, context: JudgeContext): boolean {
  if (scope === null) return true;
  const { author, labels, baseRef, paths, pathsComplete } = context;
  return (
    matches(scope.branches, baseRef) &&
    (scope.authors.length === 0 ||
      author === null ||
      scope.authors.some((login) => login.toLowerCase() === author)) &&
    (scope.labels.length === 0 || scope.labels.some((label) => labels.includes(label))) &&
    (scope.paths.length === 0 || !pathsComplete || anyOf(scope.paths, paths))
  );
}

/** Whether a scope is about parts of a pull request rather than all of it. */
export const isPartial = (scope: Scope | null): scope is Scope =>
  scope !== null &&
  [scope.stages, scope.workspaces, scope.modules, scope.resourceTypes, scope.providers].some(
    (list) => list.length > 0,
  );

/** Whether a workspace by itself is in a scope; the stage's name is not known here, so a scope by stages names it by workspace. */
export const workspaceIsIn = (scope: Scope | null, { workspace }: { readonly workspace: string }): boolean =>
  scope === null || (matches(scope.workspaces, workspace) && matches(scope.stages, workspace));

/** The report as if there were nothing but what the scope is about. */
export const within = (report: Report, scope: Scope | null): Report =>
  isPartial(scope) ? narrowReport(report, chooser(scope)) : report;

/** The report as if what the scope is about were not there. */
export function without(report: Report, scope: Scope): Report {
  const choose = chooser(scope);
  return narrowReport(report, (stage) => opposite(choose(stage)));
}

function opposite(choice: StageChoice): StageChoice {
  if (typeof choice === "object") return { by: choice.by, matches: (part) => !choice.matches(part) };
  return choice === "all" ? "none" : "all";
}

function chooser(scope: Scope): (stage: StageReport) => StageChoice {
  const stageIn = globs(scope.stages);
  const workspaceIn = globs(scope.workspaces);
  const part = partChoice(scope);
  return (stage) => {
    const isIn = isUnread(stage) || (stageIn(stage.name) && workspaceIn(stage.workspace));
    return isIn ? part : "none";
  };
}

/** An execution of which not even the workspaces could be read goes by its id: it may be any of them. */
const isUnread = ({ workspace, executionId }: StageReport): boolean => workspace === executionId;

function partChoice({ modules, resourceTypes, providers }: Scope): StageChoice {
  const byModule = modules.length > 0;
  const byType = resourceTypes.length > 0 || providers.length > 0;
  if (!byModule && !byType) return "all";
  const moduleIn = globs(modules.map(asPath));
  const typeIn = globs(resourceTypes);
  const matchesPart = ({ module, type }: PartName): boolean =>
    (module === null || moduleIn(asPath(module))) &&
    (type === null || (typeIn(type) && (providers.length === 0 || providers.includes(providerOf(type)))));
  return { by: byModule && byType ? "both" : byModule ? "module" : "type", matches: matchesPart };
}

/** By convention the first word of a resource type names its provider. */
export const providerOf = (type: string): string => type.split("_", 1)[0] ?? type;

/** Module paths are dotted; patterns treat the dots as separators. */
const asPath = (module: string): string => module.replaceAll(".", "/");

const matches = (patterns: readonly string[], text: string): boolean => globs(patterns)(text);

/** No pattern at all matches everything. */
function globs(patterns: readonly string[]): (text: string) => boolean {
  if (patterns.length === 0) return () => true;
  const compiled = patterns.map(compileGlob);
  return (text) => compiled.some((glob) => glob?.(text) ?? false);
}

function anyOf(patterns: readonly string[], paths: readonly string[]): boolean {
  const isIn = globs(patterns);
  return paths.some(isIn);
}
