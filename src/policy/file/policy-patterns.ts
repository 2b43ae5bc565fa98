import { compileGlob } from "../../kernel/glob.ts";
import { suggestChoice } from "../../kernel/suggest.ts";
import type { PartMember } from "../model/finding.ts";
import type { StageNaming } from "../model/policy.ts";
import type { NameList, RecentNames } from "../scope/pull-scope.ts";
import {
  createProviderMatcher,
  createStageNamer,
  parseProvider,
  toModulePattern,
  toPatternPath,
} from "../scope/scope.ts";
import type { ScopeEntry } from "./schema.ts";
import { PolicyFile } from "./schema.ts";
import { formatPath, type TextPosition, type ValuePath } from "./text-position.ts";
import { readYaml } from "./yaml-tree.ts";

/** A pattern of a policy file that matches parts of pull requests, with its position. */
export interface PolicyPattern extends TextPosition {
  /** Where in the document, e.g. `rules[2].scope.stages[0]`. */
  readonly path: string;
  readonly member: PartMember;
  readonly pattern: string;
}

/** Lists each name and pattern of a policy file that matches stages or their parts; none when the file is invalid. */
export function listWrittenPatterns(text: string): readonly PolicyPattern[] {
  const tree = readYaml(text);
  const file = PolicyFile.safeParse(tree.value).data;
  if (file === undefined) return [];
  return listFilePatterns(file).map(({ path, key, ...named }) => ({
    ...named,
    ...(key === undefined ? tree.findPosition(path) : tree.findKeyPosition(path, key)),
    path: formatPath(key === undefined ? path : [...path, key]),
  }));
}

interface PatternText {
  readonly member: PartMember;
  readonly pattern: string;
  /** Of the pattern; of the mapping around it where the pattern is a key. */
  readonly path: ValuePath;
  readonly key?: string;
}

const listFilePatterns = ({
  stages = [],
  expect = [],
  rules = [],
  budgets = [],
  waivers = [],
}: PolicyFile) => [
  ...stages.map(({ match }, at): PatternText => {
    return { member: "workspaces", pattern: match.workspace, path: ["stages", at, "match", "workspace"] };
  }),
  ...expect.flatMap(({ workspaces }, at) => listNamePatterns({ workspaces }, ["expect", at])),
  ...rules.flatMap(({ scope, enforce }, at) => [
    ...listScopePatterns(scope, ["rules", at, "scope"]),
    ...listEnforcePatterns(enforce, ["rules", at, "enforce"]),
  ]),
  ...budgets.flatMap(({ scope }, at) => listScopePatterns(scope, ["budgets", at, "scope"])),
  ...waivers.flatMap(({ scope }, at) => listScopePatterns(scope, ["waivers", at, "scope"])),
];

const listScopePatterns = (scope: ScopeEntry = {}, path: ValuePath): readonly PatternText[] => [
  ...listNamePatterns(scope, path),
  ...listNamePatterns(scope.not ?? {}, [...path, "not"]),
];

const listNamePatterns = (names: Omit<ScopeEntry, "not">, path: ValuePath): readonly PatternText[] =>
  MEMBERS.flatMap((member) =>
    (names[member] ?? []).map((pattern, at) => ({ member, pattern, path: [...path, member, at] })),
  );

const MEMBERS = ["stages", "workspaces", "modules", "resource_types", "providers"] as const;

/** Severities by stage. */
const listEnforcePatterns = (
  enforce: string | Readonly<Record<string, string>> = {},
  path: ValuePath,
): readonly PatternText[] =>
  typeof enforce === "string"
    ? []
    : Object.keys(enforce).map((key) => ({ member: "stages", pattern: key, path, key }));

/** An account or a team that a policy file names, with its position. */
export interface WrittenPerson extends TextPosition {
  /** Where in the document, e.g. `rules[2].approve.teams[0]`. */
  readonly path: string;
  readonly kind: (typeof PEOPLE)[number];
  readonly name: string;
}

const PEOPLE = ["authors", "users", "teams"] as const;

/** Lists the authors, approvers and teams that a valid policy file names. */
export function listWrittenPeople(text: string): readonly WrittenPerson[] {
  const tree = readYaml(text);
  const list = (value: unknown, at: ValuePath): readonly WrittenPerson[] =>
    Object.entries(typeof value === "object" && value !== null ? value : {}).flatMap(([key, member]) => {
      const kind = PEOPLE.find((one) => one === key);
      if (kind === undefined) return list(member, [...at, Array.isArray(value) ? Number(key) : key]);
      const names: readonly unknown[] = Array.isArray(member) ? member : [];
      return names.map((name, index) => {
        const path = [...at, key, index];
        return { kind, name: String(name), path: formatPath(path), ...tree.findPosition(path) };
      });
    });
  return list(tree.value, []);
}

/** Names that are listed. */
const MAX_NAMES = 10;

/** A pattern that matches nothing of the recent pull requests. */
export interface UnmatchedPattern extends PolicyPattern {
  /** Number of pull requests for which this is known: at least 1. */
  readonly pulls: number;
  /** Names that they have instead, at most 10, and the number of further names. Not escaped. */
  readonly there: readonly string[];
  readonly more: number;
  /** The name there that the pattern is probably a misspelling of; null: none is near. */
  readonly meant: string | null;
}

/** Finds patterns that match nothing of recent pull requests. `stages`: the policy's names for stages. */
export function findUnmatchedPatterns(
  patterns: readonly PolicyPattern[],
  recent: RecentNames,
  stages: readonly StageNaming[],
): readonly UnmatchedPattern[] {
  const lists = buildNameLists(recent, stages);
  return patterns.flatMap((entry) => {
    const { names, pulls } = lists[entry.member];
    if (pulls === 0 || names.some(createPatternMatcher(entry))) return [];
    const [there, more] = [names.slice(0, MAX_NAMES), Math.max(0, names.length - MAX_NAMES)];
    return [{ ...entry, pulls, there, more, meant: suggestChoice(entry.pattern, names) }];
  });
}

function buildNameLists(
  { workspaces, modules, resourceTypes }: RecentNames,
  stages: readonly StageNaming[],
): { readonly [member in PartMember]: NameList } {
  return {
    stages: mapNames(workspaces, createStageNamer(stages)),
    workspaces,
    modules: mapNames(modules, toPatternPath),
    resource_types: resourceTypes,
    providers: mapNames(resourceTypes, parseProvider),
  };
}

const mapNames = ({ names, pulls }: NameList, write: (name: string) => string): NameList => ({
  names: [...new Set(names.map(write))].sort(),
  pulls,
});

function createPatternMatcher({ member, pattern }: PolicyPattern): (name: string) => boolean {
  if (member === "providers") return createProviderMatcher([pattern]);
  return compileGlob(member === "modules" ? toModulePattern(pattern) : pattern) ?? (() => false);
}
