import type { PlatformClient } from "../../../platform/client.ts";
import { type ContextFacts, type ContextName, NO_CONTEXT } from "../../../report/model/context.ts";
import type { Fact, StageFacts } from "../../../report/model/facts.ts";
import type { JobDeps } from "../../run/deps.ts";
import type { ContextGrant } from "../../run/operator-rules.ts";
import { readGovernance } from "../governance/governance.ts";
import { readPrompts } from "../governance/prompts.ts";
import { unknown } from "../platform/platform-facts.ts";
import type { StageRef } from "../platform/read-rows.ts";
import { readUnitCosts } from "../units/unit-costs.ts";
import { readAnomalies } from "./anomalies.ts";
import { readSavings } from "./savings.ts";
import { readSchedules } from "./schedules.ts";

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

/** Returns all context facts: the facts that were read, and defaults for the others. */
export const buildContextFacts = (read: Partial<ContextFacts>): ContextFacts => ({ ...NO_CONTEXT, ...read });

function listProjects(refs: readonly StageRef[]): readonly { org: string; project: string }[] {
  const projects = refs.map(
    ({ org, project }) => [JSON.stringify([org, project]), { org, project }] as const,
  );
  return [...new Map(projects).values()];
}
