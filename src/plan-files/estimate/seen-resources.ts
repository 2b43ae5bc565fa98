import { ZERO } from "../../kernel/money.ts";
import { parseAddress } from "../address.ts";
import type { SeenResources } from "./estimate.ts";
import type { Breakdown, EstimateHead, EstimateSummary, Project, Resource } from "./estimate-parts.ts";

/** A project as it is used: without its past where it is compared with nothing. */
export interface ComparedProject {
  readonly project: Project;
  readonly comparison: Comparison;
}

/**
 * Lists what the projects saw. `summary`: counts of the whole file, which say something of a project only
 * when it is the only one.
 */
export function listSeenResources(
  projects: readonly ComparedProject[],
  summary: EstimateSummary | null | undefined,
): SeenResources {
  const all = projects.map(({ project }) => project);
  const present = joinAddresses(all.map(({ breakdown }) => breakdown));
  const resources = all.flatMap(listPriced);
  const [only, ...others] = all;
  const counts = all.map((project) => project.summary ?? (all.length === 1 ? summary : null));
  return {
    past: joinAddresses(all.map(({ pastBreakdown }) => pastBreakdown)),
    present,
    priced: only === undefined || others.length > 0 ? null : listPrices(only),
    repeated: findRepeated(all),
    pricedTypes: new Set(
      resources.map(({ name, resourceType }) => resourceType || (parseAddress(name)?.type ?? "")),
    ),
    unlisted: countUnlisted(all, counts),
    hasWarnings: all.some(
      ({ metadata }) =>
        metadata != null &&
        [metadata.errors, metadata.currentErrors, metadata.pastErrors, metadata.warnings].some(
          (messages) => messages.length > 0,
        ),
    ),
    isComparisonStated: projects.every(({ comparison }) => comparison !== "unsaid"),
  };
}

/** What an estimate saw that is of another plan. */
export const NOTHING_SEEN: SeenResources = {
  past: null,
  present: null,
  priced: null,
  repeated: new Set(),
  pricedTypes: new Set(),
  unlisted: null,
  hasWarnings: false,
  isComparisonStated: true,
};

const listPriced = ({ breakdown, pastBreakdown }: Project): readonly Resource[] => [
  ...(breakdown?.resources ?? []),
  ...(pastBreakdown?.resources ?? []),
];

function listPrices(project: Project): ReadonlyMap<string, boolean> {
  const [past, present] = [project.pastBreakdown, project.breakdown].map(
    (side) => new Map(side?.resources.map(({ name, monthlyCost }) => [name, monthlyCost ?? ZERO])),
  );
  const names = listPriced(project).map(({ name }) => name);
  const costs = names.map((name) => [name, past?.get(name) ?? ZERO, present?.get(name) ?? ZERO] as const);
  return new Map(
    costs.flatMap(([name, before, after]) =>
      (before === ZERO && after === ZERO) || parseAddress(name)?.mode !== "managed"
        ? []
        : [[name, before === after || project.pastBreakdown == null] as const],
    ),
  );
}

/** Returns the addresses that several of the projects have. */
export function findRepeated(projects: readonly Project[]): ReadonlySet<string> {
  const names = projects.flatMap((project) => [...new Set(listPriced(project).map(({ name }) => name))]);
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

/** Null: a side is not listed. */
function joinAddresses(sides: readonly (Breakdown | null | undefined)[]): ReadonlySet<string> | null {
  const known = sides.filter((side) => side != null);
  if (known.length < sides.length) return null;
  return new Set(known.flatMap((side) => [...side.resources.map(({ name }) => name), ...side.freeResources]));
}

function countUnlisted(
  projects: readonly Project[],
  counts: readonly (EstimateSummary | null | undefined)[],
): Readonly<Record<string, number>> | null {
  const stated = counts.flatMap((one) => [one?.noPriceResourceCounts, one?.unsupportedResourceCounts]);
  if (stated.some((part) => part == null)) return null;
  const unlisted: Record<string, number> = {};
  const add = (type: string, count: number) => {
    unlisted[type] = (unlisted[type] ?? 0) + count;
  };
  for (const part of stated) for (const [type, count] of Object.entries(part ?? {})) add(type, count);
  for (const name of projects.flatMap(({ breakdown }) => breakdown?.freeResources ?? []))
    add(parseAddress(name)?.type ?? "", -1);
  return unlisted;
}

/**
 * What a project is compared with. `nothing`: it is estimated once, and what it repeats as its past is the
 * same estimate again. `unsaid`: the file does not say by which command it was made, so its past is taken as
 * stated.
 */
export type Comparison = "past" | "nothing" | "unsaid";

/** Types of a project whose own input has a state before: a plan. All other types are code or a state. */
const PLANNED_TYPES: ReadonlySet<string> = new Set([
  "terraform_plan_json",
  "terraform_plan_binary",
  "terraform_cli",
  "terragrunt_cli",
]);

/**
 * Returns what a project of Infracost 0.10 is compared with, by the command and the project's type. `diff`
 * always compares, also when both sides are equal. `breakdown` of a directory writes its one estimate on both
 * sides; `breakdown` of a plan has the plan's own past.
 */
export function findComparison(head: EstimateHead, project: Project): Comparison {
  const { breakdown, pastBreakdown, diff, metadata } = project;
  if (breakdown != null && pastBreakdown == null && diff == null) return "nothing";
  const command = metadata?.infracostCommand ?? head.command;
  if (command === "diff" || PLANNED_TYPES.has(metadata?.type ?? "")) return "past";
  if (command === "breakdown") return "nothing";
  // `output` joins files of both commands and does not say which: two sides that are equal may be one.
  return command === "output" && isEqualSide(breakdown, pastBreakdown) ? "nothing" : "unsaid";
}

const isEqualSide = (a: Project["breakdown"], b: Project["pastBreakdown"]): boolean =>
  JSON.stringify(a?.resources) === JSON.stringify(b?.resources);

/** Removes what a project states about a past that it is not compared with. */
export const withoutPast = (project: Project): Project => ({ ...project, pastBreakdown: null, diff: null });
