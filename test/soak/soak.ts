import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../src/wiring/database/schema.ts";
import { type Killable, killable, kills } from "../stories/killable.ts";
import { type Actors, startActors } from "./actors.ts";
import { findWrongPulls, findWrongRows, findWrongSuccesses } from "./examine.ts";
import { createModel, type Model } from "./model.ts";
import { ProcessCi } from "./process-ci.ts";
import { type Choices, createChoices } from "./seeded-random.ts";

export interface SoakOptions {
  readonly kills: number;
  readonly seed: number;
  /** Null: the embedded database. */
  readonly databaseUrl: string | null;
  /** What Node runs in the project's directory. */
  readonly command?: readonly string[];
  readonly report: (line: string) => void;
}

export interface SoakResult {
  /** Empty: nothing was lost or doubled, and each check is right. */
  readonly problems: readonly string[];
  readonly killsWhileStarting: number;
  readonly pulls: number;
  readonly heads: number;
  readonly acceptedDeliveries: number;
  readonly refusedDeliveries: number;
  /** From the last start until GitHub showed everything, in seconds. */
  readonly settledSeconds: number;
}

const POLICY = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 100 USD } }\n";
/** Longest life of a process after it listens, and while it starts, in ms. */
const LIFE_MS = 2_500;
const START_MS = 2_000;
/** One kill in so many hits a process that starts. */
const STARTING_IN = 6;
/** Round trip of each call of GitHub, in ms. */
const LATENCY_MS = 30;
/** The sweep finds what no delivery told within ten minutes. */
const SETTLE_MS = 660_000;
const SETTLE_STEP_MS = 500;
const SETTLE_REPORT_MS = 30_000;
const REPORT_EVERY = 10;

/** Kills Tollgate at random moments while people and a CI act, then starts it once more and examines what is left. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const choices = createChoices(options.seed);
  const world = await openWorld(options);
  const database = () => openSoaked(world, options);
  const ci = await ProcessCi.create(world, database);
  const model = createModel();
  const actors = startActors({ github: world.github, ci, choices: createChoices(options.seed + 1), model });
  try {
    const killsWhileStarting = await killRepeatedly(world, choices, { ...options, mayAct: actors.mayAct });
    await actors.rest();
    const last = await world.start();
    const began = performance.now();
    await actors.settled();
    const pullProblems = await settle(world, model, options);
    const settledSeconds = (performance.now() - began) / 1_000;
    last.kill("SIGTERM");
    await once(last, "exit");
    const store = await database();
    const rowProblems = await findWrongRows(store, world.github);
    await store.close();
    const shas = new Set(
      world.github.deliveries.list({ event: "pull_request" }).flatMap(({ body }) => readHead(body)),
    );
    const problems = [
      ...pullProblems,
      ...findWrongSuccesses(world.github, world.appId, { model, shas }),
      ...rowProblems,
    ];
    return { problems, killsWhileStarting, settledSeconds, heads: shas.size, ...count(world, model) };
  } finally {
    await world.ends();
  }
}

function openWorld({ databaseUrl, command }: SoakOptions): Promise<Killable> {
  return killable(POLICY, {
    databaseUrl,
    ...(command !== undefined && { command }),
    environment: { PLATFORM_ACCOUNT: "acc", LANE_SPACING_MS: "200", GITHUB_WRITE_SPACING_MS: "200" },
    operator: (github) => {
      const { id } = github.createOwner({ login: "ci", type: "user" });
      github.faults.add({ kind: "delay", ms: LATENCY_MS, times: Number.POSITIVE_INFINITY });
      return `trusted_posters: { users: [${id}] }\n`;
    },
  });
}

function openSoaked({ data }: Killable, { databaseUrl }: SoakOptions): Promise<Database> {
  const location =
    databaseUrl === null
      ? ({ kind: "directory", directory: data } as const)
      : ({ kind: "postgres", url: databaseUrl, maxConnections: 2 } as const);
  return openDatabase(location, () => {});
}

/** How many of the kills hit a process that was starting. */
async function killRepeatedly(
  world: Killable,
  choices: Choices,
  options: SoakOptions & Pick<Actors, "mayAct">,
): Promise<number> {
  let starting = 0;
  for (let done = 0; done < options.kills; done++) {
    options.mayAct();
    const isEarly = choices.integer(1, STARTING_IN) === 1;
    await killOnce(world, choices, isEarly);
    if (isEarly) starting += 1;
    if ((done + 1) % REPORT_EVERY === 0) options.report(`${done + 1} kills`);
  }
  return starting;
}

async function killOnce(world: Killable, choices: Choices, isEarly: boolean): Promise<void> {
  const child = isEarly ? world.spawn() : await world.start();
  await sleep(choices.between(0, isEarly ? START_MS : LIFE_MS));
  if (child.exitCode !== null) throw new Error(`Tollgate ended by itself with exit code ${child.exitCode}`);
  await kills(child);
}

/** What GitHub shows wrongly after everything had its time. */
async function settle(
  { github, appId }: Killable,
  model: Model,
  { report }: SoakOptions,
): Promise<readonly string[]> {
  await github.deliveries.settled();
  let wrong = findWrongPulls(github, appId, model);
  for (let waitedMs = 0; wrong.length > 0 && waitedMs < SETTLE_MS; waitedMs += SETTLE_STEP_MS) {
    if (waitedMs % SETTLE_REPORT_MS === 0) report(`waits for ${wrong.length}: ${wrong[0]}`);
    await sleep(SETTLE_STEP_MS);
    wrong = findWrongPulls(github, appId, model);
  }
  return wrong;
}

const HEAD = /"head":\{[^{}]*?"sha":"(?<sha>[0-9a-f]{40})"/;
const readHead = (body: string): readonly string[] => HEAD.exec(body)?.groups?.["sha"]?.split(" ") ?? [];

function count({ github }: Killable, model: Model) {
  const sent = github.deliveries.list().filter(({ state }) => state === "sent");
  const acceptedDeliveries = sent.filter(({ statusCode }) => statusCode === 200).length;
  return {
    pulls: model.pulls.length,
    acceptedDeliveries,
    refusedDeliveries: sent.length - acceptedDeliveries,
  };
}
