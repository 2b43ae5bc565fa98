import { setTimeout as sleep } from "node:timers/promises";
import type { ContextFacts, ContextName } from "../../../report/context.ts";
import type { StageFacts } from "../../../report/facts.ts";
import type { PullFacts } from "../../../report/pull-facts.ts";
import type { JobDeps } from "../../deps.ts";
import { unknown } from "../platform-facts.ts";
import { withAttributes } from "../rows/attributes.ts";
import { keepAttributes, withKeptAttributes } from "../rows/kept-attributes.ts";
import { type Around, readContext } from "./read-context.ts";
import type { Wanted } from "./wanted.ts";

/** The comment waits this long for what is only shown, in ms. */
const PATIENCE_MS = 5_000;

interface Known {
  readonly facts: PullFacts;
  readonly around: Around;
  readonly wanted: Wanted;
}

/** The facts with those that are only shown. What does not come in time is unknown; never rejects. */
export async function readMore(deps: JobDeps, { facts, around, wanted }: Known): Promise<PullFacts> {
  const over = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: over.signal }).catch(() => undefined);
  const intime = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
    Promise.race([work, late.then(() => otherwise)]);
  const asked = wanted.shown.map((name) =>
    intime<Partial<ContextFacts>>(readContext(deps.spare, [name], { around, tools: deps }), timedOut(name)),
  );
  try {
    const [stages, ...context] = await Promise.all([
      wanted.attributes ? intime(namesOf(deps, facts), facts.stages) : facts.stages,
      ...asked,
    ]);
    return { ...facts, stages, context: Object.assign({}, facts.context, ...context) };
  } finally {
    over.abort();
  }
}

const timedOut = (name: ContextName): Partial<ContextFacts> => ({ [name]: unknown("timed_out") });

async function namesOf(deps: JobDeps, { stages }: PullFacts): Promise<readonly StageFacts[]> {
  try {
    const read = await withAttributes(deps.spare, await withKeptAttributes(deps, stages));
    await keepAttributes(deps, read);
    return read;
  } catch (error) {
    deps.log.error({ error }, "the attributes that change could not be read");
    return stages;
  }
}
