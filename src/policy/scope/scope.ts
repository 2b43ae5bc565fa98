import { unseen } from "../../report/cost/totals.ts";
import { moduleName } from "../../report/model/module-path.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { narrowReport, type StageChoice, type StagePart } from "../../report/narrow.ts";
import type { Scope, ScopeNames } from "../model/policy.ts";
import { createMatcher } from "./matcher.ts";

/** Whether a scope is about parts of a pull request rather than all of it. */
export const isPartial = (scope: Scope | null): scope is Scope =>
  scope !== null && (namesParts(scope) || (scope.not !== undefined && namesParts(scope.not)));

const namesParts = ({ stages, workspaces, modules, resourceTypes, providers }: ScopeNames): boolean =>
  [stages, workspaces, modules, resourceTypes, providers].some((list) => list.length > 0);

/** A workspace, and the name that its stage has. */
interface NamedWorkspace {
  readonly workspace: string;
  readonly name: string;
}

/** Whether a workspace, and the stage's name that it has, are in a scope. */
export const workspaceIsIn = (scope: Scope | null, named: NamedWorkspace): boolean =>
  scope === null || workspaceMatcher(scope)(named);

function workspaceMatcher({ workspaces, stages, not }: Scope): (named: NamedWorkspace) => boolean {
  const workspaceIn = createMatcher(workspaces, not?.workspaces);
  const stageIn = createMatcher(stages, not?.stages);
  return ({ workspace, name }) => workspaceIn(workspace) && stageIn(name);
}

/** The report as if there were nothing but what the scope is about. */
export const within = (report: Report, scope: Scope | null): Report =>
  isPartial(scope) ? narrowReport(report, chooser(scope, true)) : report;

/** The same, but for what cannot be told to be in the scope: that is left out. */
export const narrowToSureScope = (report: Report, scope: Scope | null): Report =>
  isPartial(scope) ? narrowReport(report, chooser(scope, false)) : report;

/** The report as if what surely is in the scope were not there; null: nothing is left then. */
export function without(report: Report, scope: Scope | null): Report | null {
  if (!isPartial(scope)) return null;
  const choose = chooser(scope, false);
  const rest = narrowReport(report, (stage) => opposite(choose(stage)));
  return rest.stages.length === 0 && unseen(rest.refused).length === 0 ? null : rest;
}

function opposite(choice: StageChoice): StageChoice {
  if (typeof choice === "object") return { by: choice.by, matches: (part) => !choice.matches(part) };
  return choice === "all" ? "none" : "all";
}

function chooser(scope: Scope, unreadIsIn: boolean): (stage: StageReport) => StageChoice {
  const isIn = workspaceMatcher(scope);
  const part = partChoice(scope, unreadIsIn);
  return (stage) => {
    if (isUnread(stage)) return unreadIsIn ? "all" : "none";
    return isIn(stage) ? part : "none";
  };
}

/** An execution of which not even the workspaces could be read goes by its id: it may be any of them. */
export const isUnread = ({
  workspace,
  executionId,
}: Pick<StageReport, "workspace" | "executionId">): boolean => workspace === executionId;

/** A resource whose type nobody stated may be of any type. */
function partChoice(scope: Scope, includesUnknown: boolean): StageChoice {
  const { modules, resourceTypes, providers, not } = scope;
  const byModule = modules.length + (not?.modules.length ?? 0) > 0;
  const types = [resourceTypes, providers, not?.resourceTypes ?? [], not?.providers ?? []];
  const byType = types.some((list) => list.length > 0);
  if (!byModule && !byType) return "all";
  const isModule = moduleMatcher(scope);
  const isType = typeMatcher(scope);
  const moduleIn = remembered((module) => isModule(module));
  const typeIn = remembered((type) => (type === "" ? includesUnknown : isType(type)));
  const matchesPart = ({ module, type }: StagePart): boolean =>
    (module === null || moduleIn(module)) && (type === null || typeIn(type));
  return { by: byModule && byType ? "both" : byModule ? "module" : "type", matches: matchesPart };
}

/** Module paths are dotted; patterns treat the dots as separators. */
export function moduleMatcher({ modules, not }: Scope): (module: string) => boolean {
  const isIn = createMatcher(modules.map(toModulePattern), not?.modules.map(toModulePattern));
  return (module) => isIn(toPatternPath(module));
}

function typeMatcher({ resourceTypes, providers, not }: Scope): (type: string) => boolean {
  const isType = createMatcher(resourceTypes, not?.resourceTypes);
  const isOf = providerMatcher(providers, not?.providers);
  return (type) => isType(type) && isOf(type);
}

/** Whether a type is of one of these providers, or of any where none is named, and of none that is left out. */
export function providerMatcher(
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

/** Thousands of resources share few names. */
function remembered(isIn: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name) ?? isIn(name);
    known.set(name, found);
    return found;
  };
}

/** By convention the first word of a resource type names its provider. */
export const parseProvider = (type: string): string => type.split("_", 1)[0] ?? type;

/** A pattern over module paths as `toPatternPath` writes them. */
export const toModulePattern = (pattern: string): string => toPatternPath(moduleName(pattern));

/** A module path as patterns see it. */
export const toPatternPath = (module: string): string => module.replaceAll(".", "/");
