import { setTimeout as sleep } from "node:timers/promises";
import type { WantedFacts } from "../../../policy/decide/wanted-facts.ts";
import type { ContextFacts, ContextName } from "../../../report/model/context.ts";
import type { StageFacts } from "../../../report/model/facts.ts";
import type { PullFacts } from "../../../report/model/pull-facts.ts";
import type { JobDeps } from "../../run/deps.ts";
import { unknown } from "../platform/platform-facts.ts";
import { withAttributes } from "../rows/attributes.ts";
import { saveAttributes, withStoredAttributes } from "../rows/stored-attributes.ts";
import { type ContextQuery, readContext } from "./read-context.ts";

/** Longest time that the comment waits for facts that are only shown, in ms. */
const PATIENCE_MS = 5_000;

interface ShownFactsQuery {
  readonly facts: PullFacts;
  readonly query: ContextQuery;
  readonly wanted: WantedFacts;
}

/** Reads the facts that are only shown. A fact that does not arrive in time is unknown. Never rejects. */
export async function readShownFacts(
  deps: JobDeps,
  { facts, query, wanted }: ShownFactsQuery,
): Promise<PullFacts> {
  const over = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: over.signal }).catch(() => undefined);
  const intime = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
    Promise.race([work, late.then(() => otherwise)]);
  const reads = wanted.shown.map((name) =>
    intime<Partial<ContextFacts>>(
      readContext(deps.backgroundPlatform, [name], { query, tools: deps }),
      buildTimedOutFact(name),
    ),
  );
  try {
    const [stages, ...context] = await Promise.all([
      wanted.attributes ? intime(readChangedAttributes(deps, facts), facts.stages) : facts.stages,
      ...reads,
    ]);
    return { ...facts, stages, context: Object.assign({}, facts.context, ...context) };
  } finally {
    over.abort();
  }
}

const buildTimedOutFact = (name: ContextName): Partial<ContextFacts> => ({ [name]: unknown("timed_out") });

async function readChangedAttributes(deps: JobDeps, { stages }: PullFacts): Promise<readonly StageFacts[]> {
  try {
    const read = await withAttributes(deps.backgroundPlatform, await withStoredAttributes(deps, stages));
    await saveAttributes(deps, read);
    return read;
  } catch (error) {
    deps.log.error({ error }, "the attributes that change could not be read");
    return stages;
  }
}
