import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { parseHost } from "../../kernel/host.ts";
import { type Decimal, type Money, sum } from "../../kernel/money.ts";
import type { PlatformClient } from "../../platform/client.ts";
import type { EndpointOutput } from "../../platform/contract/endpoint.ts";
import { findIacRecommendations } from "../../platform/contract/recommendations.ts";
import { listChanges } from "../../platform/contract/resource-changes.ts";
import type { Saving, SavingAdvice, Savings } from "../../report/model/context.ts";
import type { ChangeKind, Fact, ResourceChange, StageFacts } from "../../report/model/facts.ts";
import { type ContextQuery, requireRows } from "./context-query.ts";
import { toStageRef } from "./executions.ts";
import { callWithRetry, requireRead, toDecimal, UnreadError, unknown } from "./platform-facts.ts";
import { readRowPage, readRowPages, type StageRef } from "./read-rows.ts";

/** Most resources in one request. */
const MAX_ASKED = 1_000;
/** Changes of resources that exist before the plan and may have recommendations; most important first. */
const TOUCHING_CHANGES: readonly ChangeKind[] = ["replaced", "changed", "deleted", "imported"];

/** A resource that the pull request changes, with its id in the cloud; null: its id is unknown. */
interface TouchedResource {
  readonly stage: StageFacts;
  readonly row: ResourceChange;
  readonly cloud: CloudId | null;
}

/**
 * Reads the open recommendations for resources that the pull request changes, in the cloud accounts that the
 * repository may see.
 */
export async function readSavings(query: ContextQuery): Promise<Fact<Savings>> {
  const { platform, grant, refs } = query;
  if (grant.cloudAccounts.length === 0) return unknown("not_granted");
  const [stages, ids] = await Promise.all([
    query.stages,
    Promise.allSettled(refs.map((ref) => readCloudIds(platform, ref))),
  ]);
  const touched = stages.flatMap((stage): readonly TouchedResource[] => {
    const rows = requireRows(stage).filter(({ change }) => TOUCHING_CHANGES.includes(change));
    if (rows.length === 0) return []; // ids that nothing needs may be unreadable
    const own = ids[refs.findIndex((ref) => isDeepStrictEqual(ref, toStageRef(stage)))];
    if (own?.status !== "fulfilled") throw own?.reason ?? new UnreadError("not_read");
    return rows.map((row) => ({ stage, row, cloud: own.value.get(row.address) ?? null }));
  });
  return readRecommendedSavings(query, touched);
}

async function readRecommendedSavings(
  query: ContextQuery,
  touched: readonly TouchedResource[],
): Promise<Fact<Savings>> {
  const known = touched
    .flatMap(({ cloud, ...about }) => (cloud === null ? [] : [{ ...about, cloud }]))
    .sort((a, b) => TOUCHING_CHANGES.indexOf(a.row.change) - TOUCHING_CHANGES.indexOf(b.row.change))
    .slice(0, MAX_ASKED);
  const left = touched.length - known.length;
  if (known.length === 0) return { state: "known", value: { totals: [], items: [], unmatched: left } };
  const answer = await callWithRetry(query.platform, findIacRecommendations, {
    body: { resources: known.map(({ cloud }) => cloud), states: ["OPEN"] },
  });
  const { resources } = requireRead(answer).data;
  if (resources.length !== known.length) return unknown("malformed");
  const found = known.map((about, index) => matchRecommendations(about, resources[index], query));
  const items = sortByAmount(removeDuplicates(found.flatMap((one) => one?.items ?? [])));
  const unmatched = left + found.filter((one) => one === null || one.isIncomplete).length;
  return { state: "known", value: { totals: sumTotals(items), items, unmatched } };
}

type RecommendedResource = EndpointOutput<typeof findIacRecommendations>["data"]["resources"][number];

/** Statuses that state the recommendations. A type that the platform does not know has no recommendations. */
const KNOWN_STATUSES: ReadonlySet<string> = new Set(["SUCCESS", "NO_RECOMMENDATIONS", "UNKNOWN_TYPE"]);

/** Returns the savings of one resource; null: the platform does not know. `isIncomplete`: some are not stated, or not visible here. */
function matchRecommendations(
  { stage, row }: Pick<TouchedResource, "stage" | "row">,
  answer: RecommendedResource | undefined,
  { grant: { cloudAccounts }, operator }: ContextQuery,
): { readonly items: readonly Saving[]; readonly isIncomplete: boolean } | null {
  if (answer === undefined || !KNOWN_STATUSES.has(answer.status)) return null;
  const { costCurrency: currency } = operator;
  const open = answer.recommendations.filter(({ recommendationState: state }) => state === "OPEN");
  const items = open.flatMap((one): readonly Saving[] => {
    const amount = toDecimal(one.overriddenSavings ?? one.monthlySaving);
    if (amount === null || one.cloudAccountId === null || !cloudAccounts.includes(one.cloudAccountId))
      return [];
    const { address, type: resourceType, change } = row;
    const resource = { address, workspace: stage.workspace, resourceType, change };
    const advice = readAdvice(one.recommendationDetails);
    const page = findPage(one.recommendationLink, operator);
    return [
      {
        ...{ recommendationId: one.id, ...resource, monthly: { amount, currency } },
        ...(advice !== null && { advice }),
        ...(page !== null && { page }),
      },
    ];
  });
  return { items, isIncomplete: items.length < open.length };
}

/** Longest name of a configuration, in characters. */
const MAX_CONFIGURATION = 200;
const configurationName = z.string().trim().min(1).max(MAX_CONFIGURATION);

/** A configuration in the details: its name, or an object with the name in the word of its resource type. */
const Configuration = z
  .union([
    configurationName,
    z.object({ instanceType: configurationName }).transform((one) => one.instanceType),
    z.object({ instanceFamily: configurationName }).transform((one) => one.instanceFamily),
    z.object({ vmSize: configurationName }).transform((one) => one.vmSize),
  ])
  .nullable()
  .catch(null);

/** What the details of recommendations state; the platform's document leaves them open, and each resource type has its own words. */
const Details = z.object({
  current: Configuration,
  recommended: Configuration,
  target: Configuration,
  sameFamilyRecommendation: Configuration,
  crossFamilyRecommendation: Configuration,
  showTerminated: z.boolean().catch(false),
});

/** Returns what a recommendation's details say to do; null: nothing that is understood. */
function readAdvice(details: unknown): SavingAdvice | null {
  const read = Details.safeParse(details);
  if (!read.success) return null;
  const { current, showTerminated: terminate, ...targets } = read.data;
  const named = [...new Set(Object.values(targets))].filter((name) => name !== null && name !== current);
  const recommended = terminate ? [] : named.filter((name) => name !== null);
  return recommended.length === 0 && !terminate ? null : { current, recommended, terminate };
}

/** The link of a recommendation, if it leads to the operator's platform. The embedded platform has no pages. */
function findPage(link: string | null, { platformHosts, embedded }: ContextQuery["operator"]): string | null {
  const host = link === null || embedded ? null : parseHost(link);
  return host !== null && platformHosts.includes(host) ? link : null;
}

/** Removes duplicates: a recommendation about several resources counts once. */
const removeDuplicates = (items: readonly Saving[]): readonly Saving[] => [
  ...new Map([...items].reverse().map((item) => [item.recommendationId, item])).values(),
];

const sortByAmount = (items: readonly Saving[]): readonly Saving[] =>
  [...items].sort(
    (a, b) =>
      Number(b.monthly.amount) - Number(a.monthly.amount) ||
      (a.recommendationId < b.recommendationId ? -1 : 1),
  );

/** Adds the savings; all amounts are in the one currency of cost management. */
function sumTotals(items: readonly Saving[]): readonly Money[] {
  const missed = items.filter(({ change }) => change !== "deleted").map(({ monthly }) => monthly);
  const [first] = missed;
  const total: Decimal = sum(missed.map(({ amount }) => amount));
  return first === undefined ? [] : [{ amount: total, currency: first.currency }];
}

/** A resource of the state before the plan, with its id in the cloud. */
interface CloudId {
  readonly provider: string;
  readonly type: string;
  readonly resourceId: string;
}

type CloudIds = ReadonlyMap<string, CloudId>;

/** Reads the cloud ids of the resources that a stage manages, by address. */
export async function readCloudIds(platform: PlatformClient, stage: StageRef): Promise<CloudIds> {
  const answer = await readRowPage(platform, stage, { category: "resources", page: 1 });
  if (!answer.ok && answer.failure.kind === "not_found") return readIdsFromListing(platform, stage);
  const first = requireRead(answer);
  return buildIdMap((await readRowPages(platform, stage, { category: "resources", first })).rows);
}

/** Reads the ids from the listing of a stage that is not indexed; the listing contains all resources. */
async function readIdsFromListing(
  platform: PlatformClient,
  { pipeline_stage_id, ...execution }: StageRef,
): Promise<CloudIds> {
  const answer = await platform.call(listChanges, { params: execution, query: { pipeline_stage_id } });
  if (!answer.ok && answer.failure.kind === "not_found") throw new UnreadError("not_indexed");
  return buildIdMap(requireRead(answer).resources);
}

interface StateRow {
  readonly resource_address?: string | undefined;
  readonly resource_id?: string | undefined;
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
}

const buildIdMap = (rows: readonly StateRow[]): CloudIds =>
  new Map(
    rows.flatMap(({ resource_address: address, resource_id: resourceId, provider, type }) =>
      address && resourceId && provider && type ? [[address, { provider, type, resourceId }] as const] : [],
    ),
  );
