import { DAY_MS, HOUR_MS } from "../../kernel/clock.ts";
import type { PlatformClient } from "../../platform/client.ts";
import { anomalies } from "../../platform/contract/anomalies.ts";
import { getDriftConfig, getEphemeralConfig, PROVISIONERS } from "../../platform/contract/settings.ts";
import type { PlatformResult } from "../../platform/errors.ts";
import type { ContextFacts, ContextName, OpenAnomalies, Schedule } from "../../report/model/context.ts";
import type { Fact, StageFacts, UnknownReason } from "../../report/model/facts.ts";
import type { JobDeps } from "../run/deps.ts";
import type { ContextGrant } from "../run/operator-rules.ts";
import { readGovernance, readPrompts } from "./governance.ts";
import { callWithRetry, toDecimal, toUnknownReason, unknown } from "./platform-facts.ts";
import type { StageRef } from "./read-rows.ts";
import { readSavings } from "./savings.ts";
import { readUnitCosts } from "./unit-costs.ts";

/** The input of the readers of context facts. */
export interface ContextQuery {
  readonly grant: ContextGrant;
  /** Stages whose facts are read at the same time. */
  readonly refs: readonly StageRef[];
  readonly stages: Promise<readonly StageFacts[]>;
  /** True: some of the named executions may not be shown here. */
  readonly hasRefused: boolean;
}

type Tools = Pick<JobDeps, "operator" | "clock" | "log">;
type FactReader<Name extends ContextName> = (
  platform: PlatformClient,
  query: ContextQuery,
  tools: Tools,
) => Promise<ContextFacts[Name]>;

const NOT_GRANTED = unknown("not_granted");

const READERS: { readonly [Name in ContextName]: FactReader<Name> } = {
  schedules: (platform, { refs }) => readSchedules(platform, listProjects(refs)),
  savings: async (platform, { grant, refs, stages }, { operator }) => {
    if (grant.cloudAccounts.length === 0) return NOT_GRANTED;
    const cloudAccounts = new Set(grant.cloudAccounts);
    return readSavings(platform, { refs, stages, cloudAccounts, currency: operator.costCurrency });
  },
  anomalies: async (platform, { grant }, { operator }) =>
    grant.perspectives.length === 0
      ? NOT_GRANTED
      : readAnomalies(platform, grant.perspectives, operator.costCurrency),
  governance: async (platform, { grant }, { operator, clock }) => {
    if (grant.clouds.length === 0) return NOT_GRANTED;
    const { passingStatuses: passing } = operator;
    return readGovernance(platform, { clouds: grant.clouds, passing, nowMs: clock.now() });
  },
  unitCosts: async (platform, { grant, stages, hasRefused }, { operator, clock }) => {
    if (grant.unitMetrics.length + grant.measuredPerspectives.length === 0) return NOT_GRANTED;
    const { costCurrency: currency } = operator;
    const merged = async () => ({ stages: await stages, hasRefused, currency });
    return readUnitCosts(platform, { grant, merged, currency, nowMs: clock.now() });
  },
  prompts: async (platform, { grant: { clouds }, stages }) =>
    clouds.length === 0 ? NOT_GRANTED : readPrompts(platform, { clouds, stages }),
};

/** Reads the wanted facts in parallel. A failed read never rejects the promise. */
export async function readContext(
  platform: PlatformClient,
  names: readonly ContextName[],
  { query, tools }: { readonly query: ContextQuery; readonly tools: Tools },
): Promise<Partial<ContextFacts>> {
  const read = await Promise.all(
    names.map(async (name) => [name, await readContextFact(name, platform, { query, tools })] as const),
  );
  return Object.fromEntries(read) as Partial<ContextFacts>; // each name with the result of its own reader
}

async function readContextFact(
  name: ContextName,
  platform: PlatformClient,
  { query, tools }: { readonly query: ContextQuery; readonly tools: Tools },
): Promise<Fact<unknown>> {
  try {
    return await READERS[name](platform, query, tools);
  } catch (error) {
    tools.log.error({ fact: name, error }, "a fact around a pull request could not be read");
    return unknown("malformed");
  }
}

function listProjects(refs: readonly StageRef[]): readonly { org: string; project: string }[] {
  const projects = refs.map(
    ({ org, project }) => [JSON.stringify([org, project]), { org, project }] as const,
  );
  return [...new Map(projects).values()];
}

/** Most anomalies that are listed; all are counted. */
const MAX_NAMES = 5;

/** Reads the open anomalies of these perspectives. The platform's amounts have no currency of their own. */
export async function readAnomalies(
  platform: PlatformClient,
  perspectives: readonly string[],
  currency: string,
): Promise<Fact<OpenAnomalies>> {
  const filter = {
    perspectiveIds: [...perspectives],
    status: ["ACTIVE" as const],
    filterType: "Anomaly" as const,
  };
  const largest = { orderBy: [{ field: "ANOMALOUS_SPEND" as const, order: "DESCENDING" as const }] };
  const ask = (shaped: object) => ({ body: { anomalyFilterPropertiesDTO: { ...filter, ...shaped } } });
  const [summary, list] = await Promise.all([
    callWithRetry(platform, anomalies.getAnomalySummary, ask({})),
    callWithRetry(platform, anomalies.listAnomalies, ask({ ...largest, limit: MAX_NAMES })),
  ]);
  if (!summary.ok) return unknown(toUnknownReason(summary.failure));
  if (!list.ok) return unknown(toUnknownReason(list.failure));
  const { count, costImpact } = summary.value.data;
  // A service that ignores the filter returns perspectives that were not granted.
  const granted = new Set(perspectives);
  if (list.value.data.some(({ perspectiveId }) => perspectiveId === null || !granted.has(perspectiveId)))
    return unknown("malformed");
  const money = (value: number | null) => {
    const amount = toDecimal(value);
    return amount === null ? null : { amount, currency };
  };
  const items = list.value.data.flatMap(({ id, resourceName, perspectiveName, anomalousSpend }) =>
    id === null
      ? []
      : [{ id, resource: resourceName ?? id, perspective: perspectiveName, spend: money(anomalousSpend) }],
  );
  return { state: "known", value: { count, impact: money(costImpact), items } };
}

interface ProjectRef {
  readonly org: string;
  readonly project: string;
}

/**
 * Reads which provisioners of these projects have a schedule. Executions do not state their provisioner, so
 * all known ones are read. Absent: there is no schedule.
 */
export async function readSchedules(
  platform: PlatformClient,
  projects: readonly ProjectRef[],
): Promise<Fact<readonly Schedule[]>> {
  const read = await Promise.all(
    projects.flatMap((project) =>
      PROVISIONERS.map((provisioner) => readSchedule(platform, project, provisioner)),
    ),
  );
  const failed = read.find((one) => typeof one === "string");
  if (failed !== undefined) return unknown(failed);
  const schedules = read.filter((one) => typeof one === "object" && one !== null);
  return schedules.length === 0 ? { state: "absent" } : { state: "known", value: schedules };
}

/** Reads the schedule of one provisioner. Null: there is none; a text: the reason why it is unknown. */
async function readSchedule(
  platform: PlatformClient,
  project: ProjectRef,
  provisioner: (typeof PROVISIONERS)[number],
): Promise<Schedule | UnknownReason | null> {
  const input = { params: { ...project }, query: { provisioner } };
  const [drift, ephemeral] = await Promise.all([
    platform.call(getDriftConfig, input).then(selectEnabled),
    platform.call(getEphemeralConfig, input).then(selectEnabled),
  ]);
  if (typeof drift === "string") return drift;
  if (typeof ephemeral === "string") return ephemeral;
  if (drift === null && ephemeral === null) return null;
  const driftEveryMs = drift === null ? null : toMs(drift.run_every, drift.run_every_unit);
  const ms = ephemeral === null ? null : toMs(ephemeral.ttl_value, ephemeral.ttl_unit);
  const onDate = ephemeral?.destroy_on_date ?? null;
  const lifetime = ms === null && onDate === null ? null : { ms, onDate };
  return { ...project, provisioner, driftEveryMs, lifetime };
}

/** Returns a configuration that the platform acts on; null: there is none; a text: the reason why it is unknown. */
function selectEnabled<T extends { readonly enabled: boolean; readonly executed?: boolean | undefined }>(
  answer: PlatformResult<T>,
): T | UnknownReason | null {
  if (answer.ok) return answer.value.enabled && answer.value.executed !== false ? answer.value : null;
  return answer.failure.kind === "not_found" ? null : toUnknownReason(answer.failure);
}

const UNIT_MS: Readonly<Record<string, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: HOUR_MS,
  days: DAY_MS,
};

function toMs(value: number | undefined, unit: string | undefined): number | null {
  const each = unit === undefined ? undefined : UNIT_MS[unit];
  return value === undefined || each === undefined ? null : value * each;
}
