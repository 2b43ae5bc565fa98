import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { sum } from "../../kernel/money.ts";
import { anomalies } from "../../platform/contract/anomalies.ts";
import { getDriftConfig, getEphemeralConfig, PROVISIONERS } from "../../platform/contract/settings.ts";
import type { PlatformResult } from "../../platform/errors.ts";
import type { ContextFacts, ContextName, OpenAnomalies, Schedule } from "../../report/model/context.ts";
import type { Fact } from "../../report/model/facts.ts";
import type { ContextQuery } from "./context-query.ts";
import { readGovernance, readPrompts } from "./governance.ts";
import { callWithRetry, requireRead, toDecimal, UnreadError, unknown } from "./platform-facts.ts";
import { readSavings } from "./savings.ts";
import { readUnitCosts } from "./unit-costs.ts";

/** The reader of each context fact. What it cannot read it throws as `UnreadError`. */
const READERS: { readonly [Name in ContextName]: (query: ContextQuery) => Promise<ContextFacts[Name]> } = {
  schedules: readSchedules,
  savings: readSavings,
  anomalies: readAnomalies,
  governance: readGovernance,
  unitCosts: readUnitCosts,
  prompts: readPrompts,
};

/** Reads the wanted facts in parallel. A failed read never rejects the promise. */
export async function readContext(
  names: readonly ContextName[],
  query: ContextQuery,
): Promise<Partial<ContextFacts>> {
  const read = await Promise.all(
    names.map(async (name) => [name, await readContextFact(name, query)] as const),
  );
  return Object.fromEntries(read) as Partial<ContextFacts>; // each name with the result of its own reader
}

async function readContextFact(name: ContextName, query: ContextQuery): Promise<Fact<unknown>> {
  try {
    return await READERS[name](query);
  } catch (error) {
    if (error instanceof UnreadError) return unknown(error.reason);
    query.log.error({ fact: name, error }, "a fact around a pull request could not be read");
    return unknown("malformed");
  }
}

/** Most anomalies that are read; all are counted. Of more, the cost of all together is unknown. */
const MAX_ANOMALIES = 500;
/** Most anomalies that are listed. */
const MAX_NAMES = 5;

/**
 * Reads the open anomalies of the granted perspectives. The platform's amounts have no currency of their own, and its sum leaves
 * out anomalies without an amount, so the cost is added up here: it is known if each anomaly states its own.
 */
async function readAnomalies({ platform, grant, operator }: ContextQuery): Promise<Fact<OpenAnomalies>> {
  const { perspectives } = grant;
  if (perspectives.length === 0) return unknown("not_granted");
  const filter = {
    perspectiveIds: [...perspectives],
    status: ["ACTIVE" as const],
    filterType: "Anomaly" as const,
  };
  const largest = { orderBy: [{ field: "ANOMALOUS_SPEND" as const, order: "DESCENDING" as const }] };
  const ask = (shaped: object) => ({ body: { anomalyFilterPropertiesDTO: { ...filter, ...shaped } } });
  const answers = await Promise.all([
    callWithRetry(platform, anomalies.getAnomalySummary, ask({})),
    callWithRetry(platform, anomalies.listAnomalies, ask({ ...largest, limit: MAX_ANOMALIES })),
  ]);
  const { count } = requireRead(answers[0]).data;
  const listed = requireRead(answers[1]).data;
  // A service that ignores the filter returns perspectives that were not granted.
  if (listed.some(({ perspectiveId }) => perspectiveId === null || !perspectives.includes(perspectiveId)))
    return unknown("malformed");
  const { costCurrency: currency, anomaliesPage } = operator;
  const spends = listed.map(({ anomalousSpend }) => toDecimal(anomalousSpend));
  const known = spends.filter((spend) => spend !== null);
  const isWhole = listed.length === count && known.length === count;
  const items = listed.slice(0, MAX_NAMES).flatMap((one, at): OpenAnomalies["items"] => {
    const { id, resourceName, perspectiveName: perspective, time, criticality } = one;
    if (id === null) return [];
    const spend = spends[at] ?? null;
    return [
      {
        ...{ id, resource: resourceName ?? id, perspective },
        spend: spend === null ? null : { amount: spend, currency },
        ...(time !== null && { sinceMs: time }),
        ...(criticality !== null && { criticality }),
      },
    ];
  });
  const page = anomaliesPage === null ? {} : { page: anomaliesPage };
  const impact = isWhole ? { amount: sum(known), currency } : null;
  return { state: "known", value: { count, impact, items, ...page } };
}

interface ProjectRef {
  readonly org: string;
  readonly project: string;
}

/**
 * Reads which provisioners of the projects of these stages have a schedule. Executions do not state their
 * provisioner, so all known ones are read. Absent: there is no schedule.
 */
async function readSchedules(query: ContextQuery): Promise<Fact<readonly Schedule[]>> {
  const projects = new Map(
    query.refs.map(({ org, project }) => [JSON.stringify([org, project]), { org, project }]),
  );
  const read = await Promise.all(
    [...projects.values()].flatMap((project) =>
      PROVISIONERS.map((provisioner) => readSchedule(query, project, provisioner)),
    ),
  );
  const schedules = read.filter((one) => one !== null);
  return schedules.length === 0 ? { state: "absent" } : { state: "known", value: schedules };
}

/** Reads the schedule of one provisioner; null: there is none. */
async function readSchedule(
  { platform }: ContextQuery,
  project: ProjectRef,
  provisioner: (typeof PROVISIONERS)[number],
): Promise<Schedule | null> {
  const input = { params: { ...project }, query: { provisioner } };
  const [drift, ephemeral] = await Promise.all([
    platform.call(getDriftConfig, input).then(selectEnabled),
    platform.call(getEphemeralConfig, input).then(selectEnabled),
  ]);
  if (drift === null && ephemeral === null) return null;
  const driftEveryMs = drift === null ? null : toMs(drift.run_every, drift.run_every_unit);
  const ms = ephemeral === null ? null : toMs(ephemeral.ttl_value, ephemeral.ttl_unit);
  const onDate = ephemeral?.destroy_on_date ?? null;
  const lifetime = ms === null && onDate === null ? null : { ms, onDate };
  return { ...project, provisioner, driftEveryMs, lifetime };
}

/** Returns a configuration that the platform acts on; null: there is none. */
function selectEnabled<T extends { readonly enabled: boolean; readonly executed?: boolean | undefined }>(
  answer: PlatformResult<T>,
): T | null {
  if (!answer.ok && answer.failure.kind === "not_found") return null;
  const config = requireRead(answer);
  return config.enabled && config.executed !== false ? config : null;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  seconds: 1_000,
  minutes: MINUTE_MS,
  hours: HOUR_MS,
  days: DAY_MS,
};

function toMs(value: number | undefined, unit: string | undefined): number | null {
  const each = unit === undefined ? undefined : UNIT_MS[unit];
  return value === undefined || each === undefined ? null : value * each;
}
