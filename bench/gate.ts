import { setTimeout as sleep } from "node:timers/promises";
import { slowPlatform } from "../test/world/slow-platform.ts";
import { createWorld, type World } from "../test/world/world.ts";
import type { BenchEngine } from "./engines.ts";
import type { Prepared } from "./measure.ts";

const DELAY_MS = 100;
/** Pull requests before those that are counted: a process in use has its statements planned and its functions compiled. */
const WARM_UP = 20;
const BURST = 20;
const LANE_SPACING_MS = 2_000;
const POLICY = `version: 1
expect:
  - { paths: ["**"], workspaces: [production] }
rules:
  - { id: monthly-increase, limit: { increase: 500 USD } }
`;

/** How long a person waits for the gate when every call takes 100 ms more. */
export async function prepare(engine: BenchEngine): Promise<Prepared> {
  const slow = await openSlowWorld(engine, 0);
  await warmUp(slow);
  const comments: number[] = [];
  return {
    measures: [
      {
        what: "platform status to gate, 100 ms per call, against four bare calls in sequence",
        goal: "≤ 4 round trips + 100 ms = 500 ms",
        rounds: 11,
        warmUp: 0,
        run: async (round) => {
          const { gate, comment } = await measureGate(slow, round);
          comments[round] = comment;
          return gate;
        },
        floor: () => callFourTimes(slow),
      },
      {
        what: "… to comment (first one of a pull request)",
        goal: "≤ 2 round trips more",
        rounds: 11,
        warmUp: 0,
        run: (round) => comments[round],
      },
      {
        what: `${BURST} pull requests at once, GitHub's second between writes: last gate`,
        goal: "≤ 4 s",
        rounds: 1,
        warmUp: 0,
        run: () => measureBurst(engine),
      },
    ],
    close: () => slow.close(),
  };
}

interface SlowWorld {
  readonly world: World;
  readonly url: string;
  close(): Promise<void>;
}

async function openSlowWorld(engine: BenchEngine, githubWriteSpacingMs: number): Promise<SlowWorld> {
  const { url, close } = await slowPlatform(DELAY_MS);
  const platform = {
    kind: "remote",
    token: "t",
    account: "acc",
    dialect: "neutral",
    prefix: "",
    callsPerMinute: 360,
    url,
  } as const;
  const world = await createWorld({
    databaseUrl: await engine.createUrl(),
    policy: POLICY,
    settings: { platform, githubWriteSpacingMs, laneSpacingMs: LANE_SPACING_MS },
    operator: ({ ownerId: owner }) => ({ grants: [{ owner, org: "o", project: "p" }] }),
  });
  world.github.faults.add({ times: Number.POSITIVE_INFINITY, kind: "delay", ms: DELAY_MS });
  return {
    world,
    url,
    close: async () => {
      await world.ends();
      close();
    },
  };
}

const postStatus = ({ world, url }: SlowWorld, sha: string, execution: string) =>
  world.ci.posts({
    sha,
    executionId: execution,
    state: "success",
    url: `${url}/ng/account/acc/ci/orgs/o/projects/p/pipelines/infra/executions/${execution}/pipeline`,
  });

/** Waits until a lane that ran just now would not wait for its pause. */
const endPause = () => sleep(LANE_SPACING_MS + 100);

async function warmUp(slow: SlowWorld): Promise<void> {
  const pulls = Array.from({ length: WARM_UP }, () => slow.world.opensPullRequest());
  await slow.world.settles();
  await endPause();
  for (const [index, pull] of pulls.entries()) postStatus(slow, pull.headSha, `w${index}`);
  await slow.world.settles();
}

/** From the platform's status to the answered write of the gate, and to that of the comment. */
async function measureGate(slow: SlowWorld, round: number): Promise<{ gate: number; comment: number }> {
  const { world } = slow;
  const pull = world.opensPullRequest();
  await world.settles();
  await endPause();
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

async function callFourTimes({ url }: SlowWorld): Promise<void> {
  for (let call = 0; call < 4; call++) await (await fetch(`${url}/settings/disabled`)).text();
}

/** Twenty pull requests of one installation get their platform status at once; each has its one comment afterwards. */
async function measureBurst(engine: BenchEngine): Promise<number> {
  const slow = await openSlowWorld(engine, 1_000);
  const { world } = slow;
  const pulls = Array.from({ length: BURST }, () => world.opensPullRequest());
  await world.settles();
  await endPause();
  const posted = performance.now();
  for (const [index, pull] of pulls.entries()) postStatus(slow, pull.headSha, `b${index}`);
  while (!pulls.every((pull) => world.gate(pull) === "success")) await sleep(50);
  const last = performance.now() - posted;
  world.github.faults.clear();
  await world.settles();
  if (!pulls.every((pull) => world.comments(pull).length === 1)) throw new Error("a comment is missing");
  await slow.close();
  return last;
}
