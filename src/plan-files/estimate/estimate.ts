import { ZERO } from "../../kernel/money.ts";
import type { CostChangeBody } from "../../platform/contract/cost-changes.ts";
import { parseAddress } from "../address.ts";
import type { PlanSnapshot } from "../plan/snapshot.ts";
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

/** A cost change without the ids of the stage that it will belong to. */
export type Estimate = Omit<CostChangeBody, "stage_execution_id" | "stage_id" | "workspace_id">;

/**
 * The estimate of one stage: one project of the file, all of its projects, or the part of the totals that no
 * project lists.
 */
export interface EstimateStage {
  /** Unique within the file. */
  readonly label: string;
  /** False for the part of the totals that no project lists. */
  readonly isProject: boolean;
  /** Paths of the project's code or plan, as passed to the estimator. */
  readonly paths: readonly string[];
  /**
   * Number of resources of the supported clouds that the estimator detected, priced or not; null: not stated.
   */
  readonly detected: number | null;
  /** What the estimate saw, to be compared with the plan of the same code. */
  readonly seen: SeenResources;
  readonly cost: Estimate;
  /** The commit at which the estimate was made; null: not stated. */
  readonly commit: string | null;
  /** The same stage as it is with the plan of the same code: see `reconcileWithPlan`. */
  withPlan(plan: PlanSnapshot): EstimateStage;
  /** Estimates by module path (`web.db`, `root`); null: the file does not list the resources. */
  readonly modules: Readonly<Record<string, Estimate>> | null;
}

/**
 * The resources of an estimate by address, as written there. A part counts for its resource: where it has an
 * address of its own, e.g. the launch template of a group of machines, the estimator counts that one as free too.
 */
export interface SeenResources {
  /** Those with a price before; null: there is no before, or it is not listed. */
  readonly past: ReadonlySet<string> | null;
  /** Those with a price, and the listed free ones; null: they are not listed. */
  readonly present: ReadonlySet<string> | null;
  /**
   * Managed resources that cost something, parts not included, and whether that stays the same; null: of
   * several projects, of which one is the plan's.
   */
  readonly priced: ReadonlyMap<string, boolean> | null;
  /** Addresses that several projects have. */
  readonly repeated: ReadonlySet<string>;
  /** Types of which a resource has a price, before or after. */
  readonly pricedTypes: ReadonlySet<string>;
  /** Number of resources per type without a price that are not in `present`; null: not stated. */
  readonly unlisted: Readonly<Record<string, number>> | null;
  /** True: the estimator reported an error or a warning. */
  readonly hasWarnings: boolean;
  /** False: the file does not say by which command it was made, so its past may be no past. */
  readonly isComparisonStated: boolean;
}

export interface EstimateFile {
  /**
   * One stage per project. When the projects do not add up to the file's totals, the last stage is the
   * difference.
   */
  readonly stages: readonly EstimateStage[];
  /** The whole file as one stage, with its stated totals. */
  readonly whole: EstimateStage;
  readonly notes: readonly string[];
}
