/** What of a resource costs by use, as an estimator writes it: unit and price are known, the use is not. */
interface Metered {
  readonly name: string;
  readonly unit: string;
  readonly price: string;
  /** What a usage file gives: quantity and cost per month. */
  readonly given?: readonly [quantity: string, cost: string];
}

export interface MeteredResource {
  readonly name: string;
  readonly resourceType: string;
  readonly metered: readonly Metered[];
  /** What it costs by the month however much it is used. */
  readonly fixed?: string;
}

export const API: MeteredResource = {
  name: "aws_api_gateway_rest_api.orders",
  resourceType: "aws_api_gateway_rest_api",
  metered: [{ name: "Requests (first 333M)", unit: "1M requests", price: "3.5" }],
};
export const TABLE: MeteredResource = {
  name: "aws_dynamodb_table.orders",
  resourceType: "aws_dynamodb_table",
  metered: [
    { name: "Write request unit (WRU)", unit: "WRUs", price: "0.00000125" },
    { name: "Data storage", unit: "GB", price: "0.25" },
  ],
};
export const FUNCTION: MeteredResource = {
  name: 'module.jobs["eu"].aws_lambda_function.worker',
  resourceType: "aws_lambda_function",
  metered: [
    { name: "Requests", unit: "1M requests", price: "0.2" },
    { name: "Duration (first 6B)", unit: "GB-seconds", price: "0.0000166667" },
  ],
};
export const BUCKET: MeteredResource = {
  name: "aws_s3_bucket.invoices",
  resourceType: "aws_s3_bucket",
  metered: [{ name: "Storage", unit: "GB", price: "0.023" }],
};
export const GATEWAY: MeteredResource = {
  name: "aws_nat_gateway.out",
  resourceType: "aws_nat_gateway",
  metered: [{ name: "Data processed", unit: "GB", price: "0.045" }],
  fixed: "32.85",
};

/** The same resource with what a usage file says of each part: so much used, for so much. */
export const withUsage = (
  resource: MeteredResource,
  given: readonly [string, string] = ["1", "2"],
): MeteredResource => ({ ...resource, metered: resource.metered.map((one) => ({ ...one, given })) });

interface Sides {
  readonly before?: readonly MeteredResource[];
  readonly after?: readonly MeteredResource[];
}

/** A project as the estimator writes it: null where a breakdown has no usage, and "0" in the difference. */
export function meteredProject({ before = [], after = [] }: Sides, more: object = {}): object {
  const changed = [
    ...after.filter((one) => !before.some((other) => isSame(one, other))),
    ...before.filter((one) => !after.some(({ name }) => name === one.name)),
  ];
  return {
    name: "shop",
    metadata: { path: "shop" },
    pastBreakdown: breakdownOf(before),
    breakdown: breakdownOf(after),
    diff: {
      totalMonthlyCost: String(totalOf(after) - totalOf(before)),
      resources: changed.map((one) => inDiff(one, before, after)),
    },
    summary: {
      totalDetectedResources: after.length,
      totalSupportedResources: after.length,
      totalUnsupportedResources: 0,
      totalUsageBasedResources: after.length,
      totalNoPriceResources: 0,
      unsupportedResourceCounts: {},
      noPriceResourceCounts: {},
    },
    ...more,
  };
}

/** A whole file with that one project, and its totals. */
export function meteredEstimate(sides: Sides, more: object = {}, head: object = {}): object {
  const { before = [], after = [] } = sides;
  const project = meteredProject(sides, more) as { readonly summary: object }; // just written
  return {
    version: "0.2",
    currency: "USD",
    projects: [project],
    totalMonthlyCost: String(totalOf(after)),
    pastTotalMonthlyCost: String(totalOf(before)),
    diffTotalMonthlyCost: String(totalOf(after) - totalOf(before)),
    summary: project.summary,
    ...head,
  };
}

const isSame = (a: MeteredResource, b: MeteredResource): boolean => JSON.stringify(a) === JSON.stringify(b);

function costOf({ fixed, metered }: MeteredResource): number | null {
  const stated = [
    ...(fixed === undefined ? [] : [fixed]),
    ...metered.flatMap(({ given }) => given?.[1] ?? []),
  ];
  return stated.length === 0 ? null : stated.reduce((sum, cost) => sum + Number(cost), 0);
}

const totalOf = (resources: readonly MeteredResource[]): number =>
  resources.reduce((sum, resource) => sum + (costOf(resource) ?? 0), 0);

function breakdownOf(resources: readonly MeteredResource[]): object {
  return {
    totalMonthlyCost: String(totalOf(resources)),
    resources: resources.map((resource) => {
      const { name, resourceType, fixed, metered } = resource;
      const cost = costOf(resource);
      return {
        name,
        resourceType,
        metadata: {},
        ...(cost === null ? {} : { monthlyCost: String(cost) }),
        costComponents: [
          ...(fixed === undefined ? [] : [fixedPart(fixed)]),
          ...metered.map((part) => meteredPart(part, null)),
        ],
      };
    }),
  };
}

/** A part that is paid by use; `nothing` stands for what the estimator does not know. */
const meteredPart = ({ given, ...part }: Metered, nothing: "0" | null): object => ({
  ...part,
  hourlyQuantity: nothing,
  monthlyQuantity: given?.[0] ?? nothing,
  hourlyCost: nothing,
  monthlyCost: given?.[1] ?? nothing,
  usageBased: true,
  priceNotFound: false,
});

const fixedPart = (monthlyCost: string): object => ({
  name: "Base",
  unit: "hours",
  hourlyQuantity: "1",
  monthlyQuantity: "730",
  price: "0.045",
  hourlyCost: "0.045",
  monthlyCost,
  priceNotFound: false,
});

function inDiff(
  resource: MeteredResource,
  before: readonly MeteredResource[],
  after: readonly MeteredResource[],
): object {
  const { name, resourceType, metered } = resource;
  const cost = (side: readonly MeteredResource[]): number => {
    const own = side.find((one) => one.name === name);
    return own === undefined ? 0 : (costOf(own) ?? 0);
  };
  return {
    name,
    resourceType,
    metadata: {},
    hourlyCost: "0",
    monthlyCost: String(cost(after) - cost(before)),
    costComponents: metered.map((part) => meteredPart(part, "0")),
  };
}
