import { setTimeout as sleep } from "node:timers/promises";
import { NO_TELEMETRY_SETTINGS } from "../src/settings/telemetry-settings.ts";
import { startOtlpCollector } from "../test/world/otlp-collector.ts";
import { REPOSITORY } from "../test/world/places.ts";
import { slowPlatform } from "../test/world/slow-platform.ts";
import { createWorld, type World } from "../test/world/world.ts";
import { type Figure, median, ms } from "./figures.ts";
import { tabulateSteps } from "./gate-steps.ts";
import { startPostgres } from "./postgres.ts";

const DELAY_MS = 100;
const ROUNDS = 11;
/** Pull requests before those that are counted: a process in use has its statements planned and its functions compiled. */
const WARM_UP = 20;
const BURST = 20;
const POLICY = `version: 1
expect:
  - { paths: ["**"], workspaces: [production] }
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;

async function slowWorld(
  spacingMs: number,
  { tracesUrl = null, databaseUrl = null }: { tracesUrl?: string | null; databaseUrl?: string | null } = {},
): Promise<{ world: World; url: string; close(): Promise<void> }> {
  const platform = await slowPlatform(DELAY_MS);
  const remote = {
    kind: "remote",
    token: "t",
    account: "acc",
    dialect: "neutral",
    prefix: "",
    url: platform.url,
  } as const;
  const world = await createWorld({
    databaseUrl,
    policy: POLICY,
    settings: {
      platform: remote,
      githubWriteSpacingMs: spacingMs,
      laneSpacingMs: 2_000,
      telemetry: { ...NO_TELEMETRY_SETTINGS, tracesUrl },
    },
    operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
  });
  world.github.faults.add({ times: Number.POSITIVE_INFINITY, kind: "delay", ms: DELAY_MS });
  return {
    world,
    url: platform.url,
    close: async () => {
      await world.ends();
      platform.close();
    },
  };
}

const postStatus = ({ world, url }: { world: World; url: string }, sha: string, execution: string) =>
  world.ci.posts({
    sha,
    executionId: execution,
    state: "success",
    url: `${url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/${execution}/pipeline`,
  });

async function warmUp(slow: { world: World; url: string }): Promise<void> {
  const pulls = Array.from({ length: WARM_UP }, () => slow.world.opensPullRequest());
  await slow.world.settles();
  await sleep(2_100);
  for (const [index, pull] of pulls.entries()) postStatus(slow, pull.headSha, `w${index}`);
  await slow.world.settles();
}

/** From the platform's status to the answered write of the gate, and to that of the comment. */
async function oneGate(
  slow: { world: World; url: string },
  round: number,
): Promise<{ gate: number; comment: number }> {
  const { world } = slow;
  const pull = world.opensPullRequest();
  await world.settles();
  await sleep(2_100); // a lane that ran just now would wait for its pause
  world.github.requests.clear();
  const posted = Date.now();
  postStatus(slow, pull.headSha, `e${round}`);
  const answered = (path: RegExp) => {
    const last = world.github.requests
      .list()
      .findLast((request) => request.method !== "GET" && path.test(request.path));
    return last === undefined ? Number.NaN : last.at + last.ms - posted;
  };
  // `settles` asks the database every few milliseconds, which would be measured with the rest.
  while (Number.isNaN(answered(/comments/))) await sleep(5);
  const took = { gate: answered(/check-runs/), comment: answered(/comments/) };
  await world.settles();
  return took;
}

/** How long a person waits for the gate when every call takes 100 ms more. */
export async function gate(): Promise<readonly Figure[]> {
  const figures = [...(await measureGate("the embedded database", null))];
  const server = await startPostgres();
  if (server !== null) figures.push(...(await measureGate("PostgreSQL", server.url)));
  await server?.stop();
  return [...figures, ...(await steps())];
}

async function measureGate(engine: string, databaseUrl: string | null): Promise<readonly Figure[]> {
  const slow = await slowWorld(0, { databaseUrl });
  const rounds: { gate: number; comment: number }[] = [];
  await warmUp(slow);
  for (let round = 0; round < ROUNDS; round++) rounds.push(await oneGate(slow, round));
  const floor = await fourCalls(slow.url);
  await slow.close();
  const gates = median(rounds.map((round) => round.gate));
  const comments = median(rounds.map((round) => round.comment));
  return [
    {
      what: `platform status to gate, 100 ms per call, ${engine}`,
      value: ms(gates),
      goal: "≤ 4 round trips + 100 ms = 500 ms",
      floor: `${ms(floor)} (four bare calls in sequence)`,
    },
    {
      what: "… to comment (first one of a pull request)",
      value: ms(comments),
      goal: "≤ 2 round trips more",
    },
  ];
}

async function fourCalls(url: string): Promise<number> {
  const began = performance.now();
  for (let call = 0; call < 4; call++) await (await fetch(`${url}/settings/disabled`)).text();
  return performance.now() - began;
}

/** Further rounds on the embedded database with spans, which cost a little themselves: where the time goes. */
async function steps(): Promise<readonly Figure[]> {
  const collector = await startOtlpCollector();
  const slow = await slowWorld(0, { tracesUrl: collector.url });
  await warmUp(slow);
  for (let round = 0; round < ROUNDS; round++) await oneGate(slow, round);
  await slow.close(); // sends the last spans
  await collector.close();
  return tabulateSteps(collector.spans);
}

/** Twenty pull requests of one installation get their platform status at once, with GitHub's second between writes. */
export async function burst(): Promise<readonly Figure[]> {
  const slow = await slowWorld(1_000);
  const { world } = slow;
  const pulls = Array.from({ length: BURST }, () => world.opensPullRequest());
  await world.settles();
  await sleep(2_100);
  const posted = performance.now();
  for (const [index, pull] of pulls.entries()) postStatus(slow, pull.headSha, `b${index}`);
  while (!pulls.every((pull) => world.gate(pull) === "success")) await sleep(50);
  const last = performance.now() - posted;
  world.github.faults.clear();
  await world.settles();
  const told = pulls.filter((pull) => world.comments(pull).length === 1).length;
  await slow.close();
  return [
    { what: `${BURST} pull requests at once: last gate`, value: ms(last), goal: "≤ 4 s" },
    {
      what: `… of them with their one comment afterwards (${REPOSITORY})`,
      value: String(told),
      goal: String(BURST),
    },
  ];
}
