import { type Decimal, minus, ZERO } from "../../kernel/money.ts";
import { maskTags } from "../../kernel/tag-forms.ts";
import type { EstimateNote, EstimatorResult, UsageNote } from "../../platform/contract/cost-changes.ts";
import { parseAddress } from "../address.ts";
import type { PlanMask } from "../plan/secrets.ts";
import { isDifferent } from "./check-against-plan.ts";
import { type ComparedProject, type Estimate, type EstimateStage, listSeenResources } from "./estimate.ts";
import type { EstimateHead, EstimateSummary, EstimateWarning, Project } from "./estimate-parts.ts";
import { buildEstimatorResults, maskEstimatorResults } from "./estimator-results.ts";
import { completeDelta, type EstimateDelta, formatTotals, mapFields, sumAsEstimated } from "./reconcile.ts";
import {
  buildQuantityNote,
  groupResourcesByType,
  listAllResources,
  listChangedResources,
  listEstimatedResources,
  type ResourceCosts,
  sumDeltasAsEstimated,
} from "./resource-costs.ts";

/** The data of a project from which its stage is built. */
export interface ProjectFigures extends ComparedProject {
  readonly label: string;
  readonly figures: EstimateDelta;
  /** Problems with the project; not empty: the estimate is partial. */
  readonly problems: readonly string[];
  /** What the estimator's own policies say of the whole file, where this project has it. */
  readonly ofFile: readonly EstimatorResult[];
}

/** What a reader should know of the projects: warnings that take nothing from the figures, and prices that are none of a change. */
function buildNotices(projects: readonly ProjectFigures[]): Pick<EstimateNote, "notices"> {
  const notices = projects.flatMap(({ project }) => [
    ...(project.metadata?.warnings ?? [])
      .filter((warning) => !isPartial(warning))
      .map(({ message }) => message),
    ...(project.breakdown?.resources ?? [])
      .filter(({ name }) => parseAddress(name)?.mode === "data")
      .map(({ name }) => `${name} is a data source and has a price: it exists already`),
  ]);
  return notices.length === 0 ? {} : { notices: [...new Set(notices)] };
}

/** Says when one of the projects is compared with nothing. */
const buildComparison = (projects: readonly ComparedProject[]): Pick<EstimateNote, "comparison"> =>
  projects.some(({ comparison }) => comparison === "nothing") ? { comparison: "nothing" } : {};

/** Whether a warning says that a part of the project was not estimated as it is. */
const isPartial = ({ code, isError }: EstimateWarning): boolean =>
  isError || (code !== null && PARTIAL_CODES.has(code));

/** Codes of code that could not be evaluated, values that are missing, and modules that could not be fetched. */
const PARTIAL_CODES: ReadonlySet<number> = new Set([
  1, 2, 3, 4, 5, 6, 101, 102, 103, 104, 105, 106, 201, 301,
]);

/** Names the variables that lack a value, with the option that gives it; other warnings speak for themselves. */
function describeWarning({ message, names }: EstimateWarning): string {
  const variables = names.filter((name) => name.startsWith("variable.")).map((name) => name.slice(9));
  if (variables.length === 0) return message;
  return `no value for the ${variables.length === 1 ? "variable" : "variables"} ${variables.join(", ")}: give it to the estimate with --terraform-var-file or --terraform-var`;
}

export function readStatedFigures(project: Project): EstimateDelta {
  return completeDelta({
    before: project.pastBreakdown?.totalMonthlyCost ?? null,
    after: project.breakdown?.totalMonthlyCost ?? null,
    change: project.diff?.totalMonthlyCost ?? null,
  });
}

/**
 * Returns the errors that the estimator reports; without any, a problem when the project's monthly cost is
 * missing.
 */
export function listProblems(project: Project, figures: EstimateDelta): readonly string[] {
  const { errors = [], currentErrors = [], pastErrors = [], warnings = [] } = project.metadata ?? {};
  const messages = [
    ...new Set([
      ...errors,
      ...currentErrors,
      ...pastErrors,
      ...warnings.filter(isPartial).map(describeWarning),
      ...listUnreadableAmounts(project),
    ]),
  ];
  if (messages.length > 0 || figures.after !== null) return messages;
  return ["the estimate states no monthly cost for this project"];
}

const listUnreadableAmounts = (project: Project): readonly string[] =>
  (["pastBreakdown", "breakdown", "diff"] as const).flatMap((part) =>
    (project[part]?.unreadable ?? []).map((member) => describeUnreadableAmount(`${part}.${member}`)),
  );

/**
 * Problem of a member whose stated value is not an amount: the amount is unknown, which differs from "not
 * stated".
 */
export const describeUnreadableAmount = (member: string): string => `${member} is stated and is no amount`;

/** A stage before it knows its file, from which it is built again with a plan. */
type StageFigures = Omit<EstimateStage, "withPlan" | "commit">;

interface StageParts {
  readonly label: string;
  readonly currency: string;
  readonly figures: EstimateDelta;
  /** The projects of the stage, or of the file. */
  readonly known: readonly ProjectFigures[];
  /** The stage is the part of the file's totals that no project lists. */
  readonly isRest?: true;
  readonly summary: EstimateSummary | null | undefined;
  /** Not empty: the estimate is partial. */
  readonly problems: readonly string[];
  readonly unpriced: Record<string, number> | null;
  readonly usage: UsageNote;
  /** The amounts contradict each other, so all parts are listed: the contradiction is visible. */
  readonly contradicts: boolean;
}

export function buildStage(parts: StageParts): StageFigures {
  const { label, currency, figures, known, problems, unpriced, usage, contradicts } = parts;
  const listed = parts.isRest ? [] : known;
  const findings = buildEstimatorResults(
    listed.map(({ project }) => project),
    listed.flatMap(({ ofFile }) => ofFile),
  );
  const projects = listed.map(({ project, comparison }) => {
    const all = listAllResources(project);
    const isWhole = project.breakdown != null && (project.pastBreakdown != null || comparison === "nothing");
    return { project, all, isWhole, changed: contradicts ? all : listChangedResources(project) };
  });
  const resources = projects.flatMap(({ changed }) => changed);
  const seen = listSeenResources(listed, parts.summary);
  return {
    label,
    isProject: !parts.isRest,
    paths: listed
      .flatMap(({ project: { metadata } }) => [metadata?.path, metadata?.vcsSubPath])
      .filter((one) => one != null),
    detected: parts.summary?.totalDetectedResources ?? null,
    seen,
    cost: {
      currency,
      ...formatTotals(figures),
      diff: groupResourcesByType(resources),
      estimate: {
        completeness: problems.length === 0 ? "complete" : "partial",
        problems: [...problems],
        ...buildNotices(listed),
        ...buildComparison(known),
        unpriced,
        usage,
        ...buildQuantityNote(resources),
        ...(findings !== null && { findings }),
        ...(projects.length > 0 &&
          projects.every(({ isWhole }) => isWhole) && {
            resources: projects.flatMap((one) =>
              listEstimatedResources(one.all, { ...one, repeated: seen.repeated }),
            ),
          }),
        ...buildPlaces(listed.map(({ project }) => project)),
        parts: contradicts ? "all" : "changed",
      },
    },
    modules: computeModuleCosts(projects, currency),
  };
}

/** An address that projects have at different places has none. */
function buildPlaces(projects: readonly Project[]): Pick<EstimateNote, "places"> {
  const all = Map.groupBy(
    projects.flatMap(({ places = new Map() }) => [...places]),
    ([address]) => address,
  );
  const single = [...all.values()].flatMap(([first, ...others]) =>
    first === undefined || others.some(([, one]) => JSON.stringify(one) !== JSON.stringify(first[1]))
      ? []
      : [first],
  );
  return single.length === 0 ? {} : { places: Object.fromEntries(single) };
}

/**
 * Returns the cost per module over the resources of all projects; null: a project does not list its
 * resources.
 */
function computeModuleCosts(
  projects: readonly { readonly project: Project; readonly all: readonly ResourceCosts[] }[],
  currency: string,
): Readonly<Record<string, Estimate>> | null {
  if (projects.some(({ project }) => project.breakdown == null || project.pastBreakdown == null)) return null;
  const modules = Map.groupBy(
    projects.flatMap(({ all }) => all),
    ({ module }) => module,
  );
  return Object.fromEntries(
    [...modules].map(([module, resources]) => [
      module,
      { currency, ...formatTotals(sumDeltasAsEstimated(resources)), diff: {} },
    ]),
  );
}

/**
 * Counts the unpriced resources by type: those that the estimator does not support, and those without a
 * price.
 */
export function countUnpriced(project: Project): Record<string, number> {
  const unpriced: Record<string, number> = { ...project.summary?.unsupportedResourceCounts };
  for (const resource of project.breakdown?.resources ?? []) {
    const components = [resource, ...resource.subresources].flatMap(({ costComponents }) => costComponents);
    if (!components.some(({ priceNotFound }) => priceNotFound === true)) continue;
    const type = resource.resourceType ?? resource.name;
    unpriced[type] = (unpriced[type] ?? 0) + 1;
  }
  return unpriced;
}

/**
 * Returns a unique name for each project of a file: its own name; where names repeat, also its module path or
 * path, then its workspace; otherwise a number.
 */
export function labelProjects(projects: readonly Project[], fallback: string): readonly string[] {
  const names = projects.map((project) => project.name || project.metadata?.path || fallback);
  const labels = projects.map((project, at) => {
    const alike = projects.filter((_, other) => names[other] === names[at]);
    const traits = TRAITS.filter((trait) => new Set(alike.map(trait)).size > 1);
    const values = traits.map((trait) => trait(project)).filter((value) => value !== "");
    return values.length === 0 ? names[at] : `${names[at]} (${values.join(", ")})`;
  });
  return labels.map((label, at) => {
    const before = labels.slice(0, at).filter((other) => other === label).length;
    return before === 0 ? (label ?? fallback) : `${label} #${before + 1}`;
  });
}

const TRAITS: readonly ((project: Project) => string)[] = [
  ({ metadata }) => metadata?.terraformModulePath || metadata?.vcsSubPath || metadata?.path || "",
  ({ metadata }) => metadata?.terraformWorkspace ?? "",
];

type EstimateGroups = Estimate["diff"];
type EstimatePlaces = NonNullable<EstimateNote["places"]>;
type EstimateQuantities = NonNullable<NonNullable<Estimate["estimate"]>["quantities"]>;

/**
 * Masks the plan's sensitive values in the estimate of the same code: in instance keys, in component names
 * and in the estimator's messages.
 */
export function maskStage(stage: EstimateStage, masks: PlanMask): EstimateStage {
  const { cost } = stage;
  const mask = (text: string) => masks.mask(text);
  const { usage, quantities, findings, resources, places } = cost.estimate ?? {};
  const estimate = cost.estimate && {
    ...cost.estimate,
    problems: cost.estimate.problems.map(mask),
    ...(cost.estimate.notices && { notices: cost.estimate.notices.map(mask) }),
    ...(findings && { findings: maskEstimatorResults(findings, masks) }),
    ...(usage && { usage: maskUsage(usage, masks) }),
    ...(places && { places: maskPlaces(places, masks) }),
    ...(quantities && { quantities: maskQuantities(quantities, masks) }),
    ...(resources && {
      resources: resources.map(({ tags, ...own }) => ({
        ...own,
        address: masks.maskKeys(own.address),
        ...(tags !== undefined && { tags: maskTags(tags, mask) }),
      })),
    }),
  };
  return { ...stage, cost: { ...cost, diff: maskGroups(cost.diff, masks), ...(estimate && { estimate }) } };
}

/** A masked path leads nowhere. */
const maskPlaces = (places: EstimatePlaces, masks: PlanMask): EstimatePlaces =>
  Object.fromEntries(
    Object.entries(places)
      .filter(([, { file }]) => masks.mask(file) === file)
      .map(([address, place]) => [masks.maskKeys(address), place]),
  );

const maskUsage = (usage: UsageNote, masks: PlanMask): UsageNote => ({
  ...usage,
  resources: usage.resources.map((one) => ({ ...one, address: masks.maskKeys(one.address) })),
});

function maskQuantities(quantities: EstimateQuantities, masks: PlanMask): EstimateQuantities {
  return Object.fromEntries(
    Object.entries(quantities).map(([resource, parts]) => [
      masks.maskKeys(resource),
      Object.fromEntries(Object.entries(parts).map(([name, quantity]) => [masks.mask(name), quantity])),
    ]),
  );
}

function maskGroups(groups: EstimateGroups, masks: PlanMask): EstimateGroups {
  return Object.fromEntries(
    Object.entries(groups).map(([type, group]) => [
      type,
      {
        ...group,
        diff: group.diff.map((resource) => ({
          ...resource,
          name: masks.maskKeys(resource.name),
          subresources: Object.fromEntries(
            Object.entries(resource.subresources ?? {}).map(([name, costs]) => [masks.mask(name), costs]),
          ),
        })),
      },
    ]),
  );
}

/** The totals of a file, the amounts of its projects, and the difference between both. */
export interface FileFigures {
  readonly total: EstimateDelta;
  readonly projects: readonly EstimateDelta[];
  /** Totals minus projects; null where one of them is not stated. */
  readonly rest: EstimateDelta;
  /**
   * Whether the difference exceeds rounding and the file does not state that it lists only a part of what it
   * counts.
   */
  readonly contradicts: boolean;
}

const FIELDS = ["before", "after", "change"] as const;

/** Returns the totals that the file states, or else the sums of its projects. */
export function computeFileFigures(head: EstimateHead, projects: readonly Project[]): FileFigures {
  const stated = completeDelta({
    before: head.pastTotalMonthlyCost,
    after: head.totalMonthlyCost,
    change: head.diffTotalMonthlyCost,
  });
  const own = fillConfirmedZeros(projects.map(readStatedFigures), stated);
  const sums = mapFields((field) => sumStated(own.map((project) => project[field])));
  const total = mapFields((field) => stated[field] ?? (own.length === 0 ? null : sums[field]));
  const rest = mapFields((field) => subtractKnown(total[field], sums[field]));
  const isRest = FIELDS.some((field) => isDifferent(rest[field], ZERO));
  const explained = isListIncomplete(head, projects) && !isDifferent(rest.change, ZERO);
  return { total, projects: own, rest, contradicts: isRest && !explained };
}

/**
 * Sets the amounts of a project that states none to zero where the file's total equals the sum of the other
 * projects. The project's stage is still partial, and the stages add up to the file's total.
 */
function fillConfirmedZeros(
  projects: readonly EstimateDelta[],
  total: EstimateDelta,
): readonly EstimateDelta[] {
  const confirmed = mapFields((field) => {
    const sum = sumAsEstimated(projects.map((project) => project[field]));
    return total[field] !== null && !isDifferent(total[field], sum) ? ZERO : null;
  });
  return projects.map((project) => mapFields((field) => project[field] ?? confirmed[field]));
}

function isListIncomplete(head: EstimateHead, projects: readonly Project[]): boolean {
  const detected = head.summary?.totalDetectedResources;
  if (detected == null) return false;
  const listed = projects.map(
    ({ summary, breakdown }) => summary?.totalDetectedResources ?? breakdown?.resources.length ?? 0,
  );
  return detected > listed.reduce((sum, one) => sum + one, 0);
}

const sumStated = (values: readonly (Decimal | null)[]): Decimal | null =>
  values.includes(null) ? null : sumAsEstimated(values);

const subtractKnown = (total: Decimal | null, part: Decimal | null): Decimal | null =>
  total === null || part === null ? null : minus(total, part);
