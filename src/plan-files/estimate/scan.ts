import { z } from "zod";
import { type Decimal, sum, ZERO } from "../../kernel/money.ts";
import { isDifferent } from "./check-against-plan.ts";
import type {
  Breakdown,
  Component,
  EstimateHead,
  EstimateSummary,
  Project,
  Resource,
} from "./estimate-parts.ts";
import {
  amount,
  listOf,
  listUnreadableMembers,
  type SideTags,
  stated,
  tagMap,
  toLine,
} from "./estimate-parts.ts";
import {
  BudgetResults,
  FinopsResults,
  GuardrailResults,
  listFileResults,
  listIssues,
  listTagging,
  TaggingResults,
} from "./estimator-results.ts";

/**
 * The parts of what `infracost scan --json` of Infracost 2 writes that are read. It is one state of the code and has no sums but that
 * of the whole file. Each part becomes the part of a file of 0.10 that says the same, so that both are one estimate from here on.
 * Source: `internal/format/json.go` of github.com/infracost/cli.
 */
const ScanComponent = z
  .object({
    name: z.string(),
    unit: z.string().nullish(),
    price: stated,
    /** Per month. */
    quantity: stated,
    total_monthly_cost: amount,
  })
  .transform(({ name, unit, price, quantity, total_monthly_cost: total }): Component => {
    const perUnit = amount.parse(price);
    // Nothing marks usage that nobody stated, except a price for a quantity of zero.
    const isUsed = (amount.parse(quantity) ?? ZERO) !== ZERO || (total !== null && total !== ZERO);
    // A price that was not found is written as zero of a quantity of zero.
    const isPriced = perUnit !== null && (perUnit !== ZERO || isUsed);
    return {
      name,
      unit,
      price,
      hourlyQuantity: null,
      monthlyQuantity: isUsed ? quantity : null,
      monthlyCost: isUsed ? total : null,
      usageBased: isPriced && !isUsed,
      priceNotFound: !isPriced,
    };
  });

interface ScanPart {
  readonly name: string;
  readonly cost_components: readonly Component[];
  readonly subresources: readonly ScanPart[];
}

const part = {
  name: z.string(),
  cost_components: listOf(ScanComponent),
  get subresources(): z.ZodType<readonly ScanPart[]> {
    return listOf(z.object(part));
  },
};

const ScanResource = z.object({
  ...part,
  type: z.string(),
  is_supported: z.boolean(),
  is_free: z.boolean().nullish(),
  /** Empty ones are left out. */
  tags: tagMap,
  /** False is left out. */
  supports_tags: z.boolean().nullish(),
  metadata: z.object({ filename: z.string().nullish(), start_line: z.int().nullish() }).nullish(),
});
type ScanResource = z.infer<typeof ScanResource>;

const Diagnostic = z.object({ message: z.string().nullish(), severity: z.string() });

/** A project of a scan; it becomes one of 0.10 that has no past. */
const ScanProject = z
  .object({
    project_name: z.string(),
    path: z.string().nullish(),
    resources: listOf(ScanResource),
    diagnostics: listOf(Diagnostic),
    finops_results: FinopsResults,
    tagging_results: TaggingResults,
  })
  .transform(({ project_name: name, path, resources, diagnostics, ...results }): Project => {
    const breakdown = buildBreakdown(resources);
    const bySeverity = Object.groupBy(diagnostics, ({ severity }) =>
      severity === "info" || severity === "warning" ? severity : "error",
    );
    const listMessages = (kind: "warning" | "error") =>
      (bySeverity[kind] ?? []).map(({ message }) => toLine(message) || "a diagnostic without a message");
    const byName = Map.groupBy(resources, (one) => one.name);
    const warning = { code: null, names: [], isError: false };
    return {
      name,
      metadata: {
        path,
        errors: listMessages("error"),
        currentErrors: [],
        pastErrors: [],
        warnings: listMessages("warning").map((message) => ({ ...warning, message })),
      },
      breakdown,
      summary: summarise(resources, breakdown),
      ...(results.finops_results && {
        findings: [
          ...listIssues(results.finops_results, (address) => findPlace(byName.get(address)?.[0])),
          ...listTagging(results.tagging_results),
        ],
      }),
    };
  });

function findPlace(resource: ScanResource | undefined) {
  const { filename, start_line: line } = resource?.metadata ?? {};
  return { file: filename || null, line: line || null };
}

function buildBreakdown(resources: readonly ScanResource[]): Breakdown {
  const [priced, others] = [resources.filter(isPriced), resources.filter((one) => !isPriced(one))];
  // A version that does not state it for any resource says nothing by leaving it out.
  const isSupportStated = resources.some((one) => one.supports_tags === true);
  const getTags = ({ tags, supports_tags: isSupported }: ScanResource): SideTags => {
    if (tags !== undefined || !isSupportStated) return tags;
    return isSupported === true ? { values: {}, complete: true } : "unsupported";
  };
  const own = priced.map(
    (one): Resource => ({ ...toResource(one), resourceType: one.type, tags: getTags(one) }),
  );
  return {
    totalMonthlyCost: sum(own.flatMap(({ monthlyCost }) => monthlyCost ?? [])),
    unreadable: [],
    resources: own,
    freeResources: others.map(({ name }) => name),
    stated: resources.map((one) => ({ address: one.name, places: [findPlace(one)] })),
  };
}

/** Whether a resource may cost something. One that is called free and has a price is not free. */
const isPriced = (one: ScanResource): boolean => one.is_supported && (one.is_free !== true || mayCost(one));

const mayCost = ({ cost_components: costComponents, subresources }: ScanPart): boolean =>
  costComponents.some(({ monthlyCost, priceNotFound }) =>
    monthlyCost === null ? priceNotFound !== true : monthlyCost !== ZERO,
  ) || subresources.some(mayCost);

/** Sums what is known; without a known amount, the cost is unknown, as of a resource without any part. */
function toResource({
  name,
  cost_components: costComponents,
  subresources,
}: ScanPart): Omit<Resource, "tags"> {
  const parts = subresources.map(toResource);
  const amounts: readonly (Decimal | null)[] = [...costComponents, ...parts].map(
    ({ monthlyCost }) => monthlyCost,
  );
  const known = amounts.filter((one) => one !== null);
  return {
    name,
    monthlyCost: known.length === 0 ? null : sum(known),
    costComponents: [...costComponents],
    subresources: parts,
  };
}

function summarise(resources: readonly ScanResource[], { resources: priced }: Breakdown): EstimateSummary {
  const unsupported = resources.filter((one) => !one.is_supported);
  const free = resources.filter((one) => one.is_supported && !isPriced(one));
  return {
    totalDetectedResources: resources.length,
    totalSupportedResources: priced.length,
    unsupportedResourceCounts: countByType(unsupported),
    noPriceResourceCounts: countByType(free),
  };
}

const countByType = (resources: readonly ScanResource[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(resources, ({ type }) => type)].map(([type, own]) => [type, own.length]),
  );

/** The stated total, or the exact sum where that differs by rounding alone: each amount was rounded to a float of its own. */
function readTotal(total: z.infer<typeof stated>, projects: readonly Project[]): Decimal | null {
  const own = sum(projects.flatMap(({ breakdown }) => breakdown?.totalMonthlyCost ?? []));
  const said = amount.parse(total);
  return said === null || isDifferent(said, own) ? said : own;
}

/** A scan; it becomes a file of 0.10 that states no past. */
export const ScanDocument = z
  .object({
    currency: z.string().nullish(),
    summary: z.object({ resources: z.int().min(0).nullish(), total_monthly_cost: stated }).nullish(),
    projects: z.array(ScanProject).nullish(),
    guardrail_results: GuardrailResults,
    budget_results: BudgetResults,
  })
  .transform(
    ({
      currency,
      summary,
      projects,
      ...results
    }): EstimateHead & { readonly projects: readonly Project[] } => ({
      command: "scan",
      commit: null,
      currency,
      projects: projects ?? [],
      summary: summary?.resources == null ? null : { totalDetectedResources: summary.resources },
      totalMonthlyCost: readTotal(summary?.total_monthly_cost, projects ?? []),
      pastTotalMonthlyCost: null,
      diffTotalMonthlyCost: null,
      unreadable: listUnreadableMembers({ "summary.total_monthly_cost": summary?.total_monthly_cost }),
      findings: listFileResults(results.guardrail_results, results.budget_results),
    }),
  );
