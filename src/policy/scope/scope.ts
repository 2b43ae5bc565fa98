import { listUnseenDoubts } from "../../report/cost/totals.ts";
import { normalizeModuleName } from "../../report/model/module-path.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { narrowReport, type StageChoice, type StagePart } from "../../report/narrow.ts";
import type { Scope, ScopeNames } from "../model/policy.ts";
import { createMatcher } from "./matcher.ts";

/** Whether a scope selects parts of a pull request rather than all of it. */
export const isPartialScope = (scope: Scope | null): scope is Scope =>
  scope !== null && (hasPartNames(scope) || (scope.not !== undefined && hasPartNames(scope.not)));

const hasPartNames = ({ stages, workspaces, modules, resourceTypes, providers }: ScopeNames): boolean =>
  [stages, workspaces, modules, resourceTypes, providers].some((list) => list.length > 0);

/** A workspace with the name of its stage. */
interface NamedWorkspace {
  readonly workspace: string;
  readonly name: string;
}

/** Whether a scope includes a workspace with this stage name. */
export const isWorkspaceInScope = (scope: Scope | null, named: NamedWorkspace): boolean =>
  scope === null || createWorkspaceMatcher(scope)(named);

function createWorkspaceMatcher({ workspaces, stages, not }: Scope): (named: NamedWorkspace) => boolean {
  const workspaceIn = createMatcher(workspaces, not?.workspaces);
  const stageIn = createMatcher(stages, not?.stages);
  return ({ workspace, name }) => workspaceIn(workspace) && stageIn(name);
}

/** The report narrowed to the scope; parts that may be in the scope are included. */
export const narrowToScope = (report: Report, scope: Scope | null): Report =>
  isPartialScope(scope) ? narrowReport(report, createStageChooser(scope, true)) : report;

/** The report narrowed to the parts that are certainly in the scope. */
export const narrowToSureScope = (report: Report, scope: Scope | null): Report =>
  isPartialScope(scope) ? narrowReport(report, createStageChooser(scope, false)) : report;

/** The report without the parts that are certainly in the scope; null: no part is left. */
export function excludeScope(report: Report, scope: Scope | null): Report | null {
  if (!isPartialScope(scope)) return null;
  const choose = createStageChooser(scope, false);
  const rest = narrowReport(report, (stage) => invertChoice(choose(stage)));
  return rest.stages.length === 0 && listUnseenDoubts(rest.refused).length === 0 ? null : rest;
}

function invertChoice(choice: StageChoice): StageChoice {
  if (typeof choice === "object") return { by: choice.by, isMatch: (part) => !choice.isMatch(part) };
  return choice === "all" ? "none" : "all";
}

function createStageChooser(scope: Scope, unreadIsIn: boolean): (stage: StageReport) => StageChoice {
  const isIn = createWorkspaceMatcher(scope);
  const part = createPartChoice(scope, unreadIsIn);
  return (stage) => {
    if (isStageUnread(stage)) return unreadIsIn ? "all" : "none";
    return isIn(stage) ? part : "none";
  };
}

/** Whether not even the workspaces of an execution could be read, so that it may be of any workspace. */
export const isStageUnread = ({ isUnread }: Pick<StageReport, "isUnread">): boolean => isUnread === true;

/** Selects parts of a stage. A resource without a stated type may be of any type. */
function createPartChoice(scope: Scope, includesUnknown: boolean): StageChoice {
  const { modules, resourceTypes, providers, not } = scope;
  const byModule = modules.length + (not?.modules.length ?? 0) > 0;
  const types = [resourceTypes, providers, not?.resourceTypes ?? [], not?.providers ?? []];
  const byType = types.some((list) => list.length > 0);
  if (!byModule && !byType) return "all";
  const isModule = createModuleMatcher(scope);
  const isType = createTypeMatcher(scope);
  const moduleIn = cacheByName((module) => isModule(module));
  const typeIn = cacheByName((type) => (type === "" ? includesUnknown : isType(type)));
  const matchesPart = ({ module, type }: StagePart): boolean =>
    (module === null || moduleIn(module)) && (type === null || typeIn(type));
  return { by: byModule && byType ? "both" : byModule ? "module" : "type", isMatch: matchesPart };
}

/** Creates a predicate over module paths; patterns treat dots as separators. */
export function createModuleMatcher({ modules, not }: Scope): (module: string) => boolean {
  const isIn = createMatcher(modules.map(toModulePattern), not?.modules.map(toModulePattern));
  return (module) => isIn(toPatternPath(module));
}

function createTypeMatcher({ resourceTypes, providers, not }: Scope): (type: string) => boolean {
  const isType = createMatcher(resourceTypes, not?.resourceTypes);
  const isOf = createProviderMatcher(providers, not?.providers);
  return (type) => isType(type) && isOf(type);
}

/**
 * Creates a predicate over resource types: one of these providers (any if none is named), and none of the
 * excluded ones.
 */
export function createProviderMatcher(
  providers: readonly string[],
  leftOut: readonly string[] = [],
): (type: string) => boolean {
  const [wanted, unwanted] = [providers, leftOut].map(
    (list) => new Set(list.map((one) => one.toLowerCase())),
  );
  return (type) => {
    const provider = parseProvider(type).toLowerCase();
    return (wanted?.size === 0 || wanted?.has(provider) === true) && unwanted?.has(provider) !== true;
  };
}

/** Caches the results: thousands of resources share few names. */
function cacheByName(isIn: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name) ?? isIn(name);
    known.set(name, found);
    return found;
  };
}

/** The provider of a resource type: by convention the first word of its name. */
export const parseProvider = (type: string): string => type.split("_", 1)[0] ?? type;

/** Converts a module pattern to the form of `toPatternPath`. */
export const toModulePattern = (pattern: string): string => toPatternPath(normalizeModuleName(pattern));

/** Converts a module path to the form that patterns match. */
export const toPatternPath = (module: string): string => module.replaceAll(".", "/");
