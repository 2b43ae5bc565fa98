import { suggest } from "../../kernel/suggest.ts";
import { unseen } from "../../report/cost/totals.ts";
import { moduleName } from "../../report/modules/module-path.ts";
import type { Report, StageReport } from "../../report/report.ts";
import { stageKey } from "../../report/stages/stage-label.ts";
import type { JudgeContext } from "../context.ts";
import type { PartMember, ScopeMismatch } from "../finding.ts";
import type { Scope } from "../policy.ts";
import type { StageNames } from "../rules/rule-kind.ts";
import { otherPullBy } from "./about.ts";
import { globs } from "./patterns.ts";
import { asPath, isPartial, isUnread, providerOf, workspaceIsIn } from "./scope.ts";

/** Names that a mismatch lists. */
const LISTED = 10;

/** The member of a scope by which it is for other pull requests than this one; null: it may be for this one. */
export function pullMismatch(scope: Scope | null, context: JudgeContext): ScopeMismatch | null {
  const member = otherPullBy(scope, context);
  if (member === null || scope === null) return null;
  const { author, labels, baseRef, paths } = context;
  const here = { branches: [baseRef], authors: author === null ? [] : [author], labels: labels ?? [], paths };
  return { member, patterns: scope[member], ...listed(here[member]), meant: null };
}

interface Seen {
  readonly report: Report;
  readonly names: StageNames;
  readonly context: JudgeContext;
}

/**
 * The member of a scope that nothing in the report matches; null: something matches each, or may, because an execution is not
 * shown here or could not be read.
 */
export function partMismatch(scope: Scope | null, seen: Seen): ScopeMismatch | null {
  const { stages, refused } = seen.report;
  if (!isPartial(scope) || stages.length === 0) return null;
  if (unseen(refused).length > 0 || stages.some(isUnread)) return null;
  const found = mismatchIn(scope, seen.report);
  return found !== null && isElsewhere(scope, seen) ? { ...found, meant: null, elsewhere: true } : found;
}

/** Whether the scope is about a workspace that the repository is known to have beside those of this pull request. */
const isElsewhere = (scope: Scope, { names, context: { budgetUse } }: Seen): boolean =>
  budgetUse?.workspaces.some((known) =>
    workspaceIsIn(scope, { workspace: known.workspace, name: names.nameOf(known) }),
  ) === true;

function mismatchIn(scope: Scope, report: Report): ScopeMismatch | null {
  const { stages } = report;
  const named = stages.filter(({ name }) => globs(scope.stages)(name));
  if (named.length === 0) return mismatch("stages", scope.stages, namesOf(stages, "name"));
  const chosen = named.filter(({ workspace }) => globs(scope.workspaces)(workspace));
  if (chosen.length === 0) return mismatch("workspaces", scope.workspaces, namesOf(named, "workspace"));
  return moduleMismatch(scope, report, chosen) ?? typeMismatch(scope, report, chosen);
}

const namesOf = (stages: readonly StageReport[], key: "name" | "workspace"): readonly string[] => [
  ...new Set(stages.map((stage) => stage[key])),
];

function moduleMismatch({ modules }: Scope, report: Report, stages: readonly StageReport[]) {
  if (modules.length === 0) return null;
  const stated = stages.flatMap((stage) => stage.modules?.map(({ module }) => module) ?? []);
  const here = new Set([...stated, ...partsIn(report, stages).map(({ module }) => module)].map(asPath));
  const isIn = globs(modules.map((pattern) => asPath(moduleName(pattern))));
  return [...here].some(isIn) ? null : mismatch("modules", modules, [...here]);
}

/** A resource whose type nobody stated may be of any type. */
function typeMismatch({ resourceTypes, providers }: Scope, report: Report, stages: readonly StageReport[]) {
  if (resourceTypes.length + providers.length === 0) return null;
  const stated = stages.flatMap(({ types, unpriced }) => [
    ...(types?.map(({ type }) => type) ?? []),
    ...Object.keys(unpriced?.types ?? {}),
  ]);
  const here = [...new Set([...stated, ...partsIn(report, stages).map(({ type }) => type)])];
  if (here.includes("")) return null;
  const chosen = here.filter(globs(resourceTypes));
  if (chosen.length === 0) return mismatch("resource_types", resourceTypes, here);
  const there = [...new Set(chosen.map(providerOf))];
  const wanted = new Set(providers.map((provider) => provider.toLowerCase()));
  const isWanted = there.some((provider) => wanted.has(provider.toLowerCase()));
  return wanted.size === 0 || isWanted ? null : mismatch("providers", providers, there);
}

/** Resources that are priced or change in these stages. */
function partsIn({ rows, resources }: Report, stages: readonly StageReport[]) {
  const keys = new Set(stages.map(stageKey));
  return [...rows, ...resources].filter(({ stage }) => keys.has(stage));
}

function mismatch(member: PartMember, patterns: readonly string[], here: readonly string[]): ScopeMismatch {
  const sorted = here.toSorted();
  const [meant = null] = patterns.flatMap((pattern) => suggest(pattern, sorted) ?? []);
  return { member, patterns, ...listed(sorted), meant };
}

const listed = (names: readonly string[]): Pick<ScopeMismatch, "here" | "more"> => ({
  here: names.slice(0, LISTED),
  more: Math.max(0, names.length - LISTED),
});
