import { compileGlob } from "../../kernel/glob.ts";
import { readTag, type TagReading } from "../../kernel/resource-tags.ts";
import { normalizeModuleName } from "../../report/model/module-path.ts";
import type { Report, StageReport } from "../../report/model/report.ts";
import { buildStageKey, createStageLabels } from "../../report/model/stage-label.ts";
import { narrowReport, type StageChoice, type StagePart } from "../../report/narrow.ts";
import type { TagSide } from "../../report/tags.ts";
import { listUnseenDoubts } from "../../report/totals.ts";
import type { StageNames } from "../model/context.ts";
import { PartMember } from "../model/finding.ts";
import type { Scope, ScopeNames, StageNaming } from "../model/policy.ts";

/** Whether a scope selects parts of a pull request rather than all of it. */
export const isPartialScope = (scope: Scope | null): scope is Scope =>
  scope !== null && PartMember.options.some((member) => hasPatterns(member, scope));

/** A workspace with the name of its stage. */
interface NamedWorkspace {
  readonly workspace: string;
  readonly name: string;
}

/** Whether a scope includes a workspace with this stage name. */
export const isWorkspaceInScope = (scope: Scope | null, named: NamedWorkspace): boolean =>
  scope === null || createWorkspaceMatcher(scope)(named);

function createWorkspaceMatcher(scope: Scope): (named: NamedWorkspace) => boolean {
  const isWorkspace = createMatcher("workspaces", scope);
  const isStage = createMatcher("stages", scope);
  return ({ workspace, name }) => isWorkspace(workspace) && isStage(name);
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
  if (typeof choice === "object") return { ...choice, isMatch: (part, side) => !choice.isMatch(part, side) };
  return choice === "all" ? "none" : "all";
}

function createStageChooser(scope: Scope, unreadIsIn: boolean): (stage: StageReport) => StageChoice {
  const isIn = createWorkspaceMatcher(scope);
  const part = createPartChoice(scope, unreadIsIn);
  return (stage) => {
    if (stage.isUnread === true) return unreadIsIn ? "all" : "none";
    return isIn(stage) ? part : "none";
  };
}

/** Selects parts of a stage. A resource without a stated type may be of any type, and one of unknown tags may have any. */
function createPartChoice(scope: Scope, includesUnknown: boolean): StageChoice {
  const byModule = hasPatterns("modules", scope);
  const byType = hasPatterns("resource_types", scope) || hasPatterns("providers", scope);
  const byTag = hasPatterns("tags", scope);
  if (!byModule && !byType && !byTag) return "all";
  const isType = createMatcher("resource_types", scope);
  const isOfProvider = createMatcher("providers", scope);
  const moduleIn = cacheByName(createMatcher("modules", scope));
  const typeIn = cacheByName((type) => (type === "" ? includesUnknown : isType(type) && isOfProvider(type)));
  const isMatch = ({ module, type }: StagePart): boolean =>
    (module === null || moduleIn(module)) && (type === null || typeIn(type));
  if (!byTag) return { by: byModule && byType ? "both" : byModule ? "module" : "type", isMatch };
  const matchTags = createTagMatcher(scope);
  const match = ({ type, tags }: StagePart, side: TagSide) =>
    matchTags((key) => readTag(tags, { key, type: type ?? "", side }));
  return {
    by: "tag",
    isMatch: (part, side = "after") =>
      isMatch(part) && (match(part, side) === "yes" || (includesUnknown && match(part, side) === "maybe")),
    isUnsure: (part, side) => isMatch(part) && match(part, side) === "maybe",
  };
}

/** Whether something with these tags is in a scope. `maybe`: that depends on an unknown tag. */
export function createTagMatcher(
  scope: Scope,
): (read: (key: string) => TagReading) => "yes" | "no" | "maybe" {
  const [included, excluded] = [scope.tags, scope.not?.tags ?? []].map((tags) =>
    tags.map(({ key, values }) => ({ key, isValue: cacheByName(createGlobMatcher(values)) })),
  );
  return (read) => {
    const findMatch = ({ key, isValue }: { readonly key: string; readonly isValue: NamePredicate }) => {
      const reading = read(key);
      if (reading.state === "unknown") return "maybe";
      return reading.state === "value" && isValue(reading.value) ? "yes" : "no";
    };
    const ins = (included ?? []).map(findMatch);
    const outs = (excluded ?? []).map(findMatch);
    if (ins.includes("no") || outs.includes("yes")) return "no";
    return [...ins, ...outs].includes("maybe") ? "maybe" : "yes";
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

type NamePredicate = (name: string) => boolean;

/** Whether a scope includes or excludes names of one member. */
export const hasPatterns = (member: keyof ScopeNames, { not, ...named }: Scope): boolean =>
  named[member].length + (not?.[member].length ?? 0) > 0;

/** Creates a predicate over the names of one member: one of the scope's patterns matches (or there are none), and no excluded one does. */
export function createMatcher(member: MatchedMember, { not, ...named }: Scope): NamePredicate {
  const excluded = not?.[member] ?? [];
  const isIn = named[member].length === 0 ? () => true : createPatternMatcher(member, named[member]);
  if (excluded.length === 0) return isIn;
  const isOut = createPatternMatcher(member, excluded);
  return (name) => isIn(name) && !isOut(name);
}

/** Creates a predicate: one of the patterns matches the name. A provider also matches its resource types. */
export function createPatternMatcher(member: MatchedMember, patterns: readonly string[]): NamePredicate {
  switch (member) {
    case "modules": {
      const isIn = createGlobMatcher(patterns.map((pattern) => toPatternPath(normalizeModuleName(pattern))));
      return (module) => isIn(toPatternPath(module));
    }
    case "providers": {
      const providers = new Set(patterns.map((one) => one.toLowerCase()));
      return (type) => providers.has(parseProvider(type).toLowerCase());
    }
    case "paths":
      return createPathMatcher(patterns);
    default:
      return createGlobMatcher(patterns);
  }
}

type MatchedMember = Exclude<keyof ScopeNames, "labels" | "authors" | "tags">;

/** Creates a predicate over paths of files: a pattern without `*` or `?` is that file or everything below that folder. */
const createPathMatcher = (patterns: readonly string[]): NamePredicate =>
  createGlobMatcher(
    patterns.flatMap((pattern) => (/[*?]/.test(pattern) ? [pattern] : [pattern, `${pattern}/**`])),
  );

/** Creates a predicate: one of the globs matches the text. */
export function createGlobMatcher(patterns: readonly string[]): NamePredicate {
  const globs = patterns.map(compileGlob);
  return (text) => globs.some((glob) => glob?.(text) ?? false);
}

/** The provider of a resource type: by convention the first word of its name. */
export const parseProvider = (type: string): string => type.split("_", 1)[0] ?? type;

/** Converts a module path to the form that patterns match: with dots as separators. */
export const toPatternPath = (module: string): string => module.replaceAll(".", "/");

/** Largest number of names that are listed. */
const MAX_NAMES = 10;

/** The first names, and the number of further ones. */
export const limitNames = (names: readonly string[]): { here: readonly string[]; more: number } => ({
  here: names.slice(0, MAX_NAMES),
  more: Math.max(0, names.length - MAX_NAMES),
});

/** The names that a scope can match inside of stages, for all rules together. */
export interface PartNames {
  /** Lists the module names in these stages, each once. */
  listModules(stages: readonly StageReport[]): readonly string[];
  /** Lists the resource types in these stages, each once; empty text: an unstated type. */
  listResourceTypes(stages: readonly StageReport[]): readonly string[];
}

type NamesByStage = ReadonlyMap<string, ReadonlySet<string>>;

/** Collects the names from the cost blocks and from priced, usage-based and changed resources of a report. */
export function createPartNames(report: Report): PartNames {
  const { rows, resources, usageBased = [] } = report;
  const collect = (
    getStated: (stage: StageReport) => readonly string[],
    getName: (part: { readonly module: string; readonly type: string }) => string,
  ): NamesByStage => {
    const names = new Map(
      report.stages.map((stage) => [buildStageKey(stage), new Set(getStated(stage))] as const),
    );
    for (const list of [rows, resources, usageBased])
      for (const part of list) names.get(part.stage)?.add(getName(part));
    return names;
  };
  const listStatedModules = (stage: StageReport) => stage.modules?.map(({ module }) => module) ?? [];
  // Collected for the first rule that asks: most policies have no such scope, and a report may have 100,000 rows.
  let modules: NamesByStage | undefined;
  let types: NamesByStage | undefined;
  return {
    listModules: (stages) => {
      modules ??= collect(listStatedModules, ({ module }) => module);
      return unite(modules, stages);
    },
    listResourceTypes: (stages) => {
      types ??= collect(listStatedTypes, ({ type }) => type);
      return unite(types, stages);
    },
  };
}

const listStatedTypes = ({ types, unpriced }: StageReport): readonly string[] => [
  ...(types?.map(({ type }) => type) ?? []),
  ...Object.keys(unpriced?.types ?? {}),
];

const unite = (names: NamesByStage, stages: readonly StageReport[]): readonly string[] => [
  ...new Set(stages.flatMap((stage) => [...(names.get(buildStageKey(stage)) ?? [])])),
];

/** The names of the stages of a whole report; narrowed reports use the same names. */
export function createStageNames({ stages }: Report, names: readonly StageNaming[]): StageNames {
  const getName = createStageNamer(names);
  const label = createStageLabels(stages);
  const byPlace = new Map(stages.map((stage) => [buildStageKey(stage), label(stage)]));
  return {
    getName: ({ workspace }) => getName(workspace),
    getLabel: (stage) => byPlace.get(buildStageKey(stage)) ?? buildStageKey(stage),
  };
}

/** Returns the report with only these stage names. */
export function renameStages(report: Report, names: readonly StageNaming[]): Report {
  const getName = createStageNamer(names);
  return { ...report, stages: report.stages.map((stage) => ({ ...stage, name: getName(stage.workspace) })) };
}

/** Creates a function that names the stage of a workspace: the first matching pattern's name, else the workspace. */
export function createStageNamer(names: readonly StageNaming[]): (workspace: string) => string {
  const compiled = names.map(({ workspace, name }) => ({ matches: compileGlob(workspace), name }));
  return (workspace) => compiled.find(({ matches }) => matches?.(workspace))?.name ?? workspace;
}
