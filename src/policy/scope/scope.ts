import { unseen } from "../../report/cost/totals.ts";
import { moduleName } from "../../report/modules/module-path.ts";
import { narrowReport, type PartName, type StageChoice } from "../../report/narrow.ts";
import type { Report, StageReport } from "../../report/report.ts";
import type { Scope } from "../policy.ts";
import { globs } from "./patterns.ts";

/** Whether a scope is about parts of a pull request rather than all of it. */
export const isPartial = (scope: Scope | null): scope is Scope =>
  scope !== null &&
  [scope.stages, scope.workspaces, scope.modules, scope.resourceTypes, scope.providers].some(
    (list) => list.length > 0,
  );

/** Whether a workspace, and the stage's name that it has, are in a scope. */
export const workspaceIsIn = (
  scope: Scope | null,
  { workspace, name }: { readonly workspace: string; readonly name: string },
): boolean => scope === null || (globs(scope.workspaces)(workspace) && globs(scope.stages)(name));

/** The report as if there were nothing but what the scope is about. */
export const within = (report: Report, scope: Scope | null): Report =>
  isPartial(scope) ? narrowReport(report, chooser(scope, true)) : report;

/** The same, but for what cannot be told to be in the scope: that is left out. */
export const surelyWithin = (report: Report, scope: Scope | null): Report =>
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
  const stageIn = globs(scope.stages);
  const workspaceIn = globs(scope.workspaces);
  const part = partChoice(scope, unreadIsIn);
  return (stage) => {
    if (isUnread(stage)) return unreadIsIn ? "all" : "none";
    return stageIn(stage.name) && workspaceIn(stage.workspace) ? part : "none";
  };
}

/** An execution of which not even the workspaces could be read goes by its id: it may be any of them. */
export const isUnread = ({
  workspace,
  executionId,
}: Pick<StageReport, "workspace" | "executionId">): boolean => workspace === executionId;

/** A resource whose type nobody stated may be of any type. */
function partChoice({ modules, resourceTypes, providers }: Scope, untoldIsIn: boolean): StageChoice {
  const byModule = modules.length > 0;
  const byType = resourceTypes.length > 0 || providers.length > 0;
  if (!byModule && !byType) return "all";
  const isModule = globs(modules.map((pattern) => asPath(moduleName(pattern))));
  const wanted = providers.map((provider) => provider.toLowerCase());
  const isType = globs(resourceTypes);
  const moduleIn = remembered((module) => isModule(asPath(module)));
  const typeIn = remembered((type) => {
    if (type === "") return untoldIsIn;
    return isType(type) && (wanted.length === 0 || wanted.includes(providerOf(type).toLowerCase()));
  });
  const matchesPart = ({ module, type }: PartName): boolean =>
    (module === null || moduleIn(module)) && (type === null || typeIn(type));
  return { by: byModule && byType ? "both" : byModule ? "module" : "type", matches: matchesPart };
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
export const providerOf = (type: string): string => type.split("_", 1)[0] ?? type;

/** Module paths are dotted; patterns treat the dots as separators. */
export const asPath = (module: string): string => module.replaceAll(".", "/");
