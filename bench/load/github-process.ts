import { setTimeout as sleep } from "node:timers/promises";
import { createSandbox, type Sandbox } from "../../sandbox/sandbox.ts";
import { systemRandom } from "../../sandbox/state/random.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { slowPlatform } from "../../test/world/slow-platform.ts";
import { startBalancer } from "./balancer.ts";
import { countCalls, type GitHubCalls } from "./calls.ts";
import { checkTraffic, type TrafficCheck } from "./oracle.ts";
import type { LoadParameters } from "./parameters.ts";
import { People, POLICY } from "./traffic.ts";

/** What a process of Tollgate must be given. */
export interface Surroundings {
  readonly githubUrl: string;
  readonly platformUrl: string;
  readonly appId: number;
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** The operator's file, as JSON, which is YAML too. */
  readonly operatorFile: string;
}

export interface Played {
  readonly seconds: number;
  readonly actions: number;
  readonly deliveries: number;
  readonly unanswered: number;
}

/** Times in ms. */
export interface Observed extends TrafficCheck {
  /** From the opening to the first check; from the status that names the execution to the verdict. */
  readonly firstCheckMs: readonly number[];
  readonly gateMs: readonly number[];
  /** From the sending of a delivery to its answer. */
  readonly acceptedMs: readonly number[];
  readonly calls: GitHubCalls;
}

/** Calls from the process that started this one. */
export interface Methods {
  open(parameters: LoadParameters): Promise<Surroundings>;
  setTargets(ports: readonly number[]): Promise<void>;
  play(parameters: Pick<LoadParameters, "rate" | "seconds">): Promise<Played>;
  /** Sends again what no process answered, as an operator does, until all is answered. */
  redeliver(): Promise<number>;
  observe(): Promise<Observed>;
}

interface Running {
  readonly github: Sandbox;
  readonly appId: number;
  readonly people: People;
  readonly balancer: Awaited<ReturnType<typeof startBalancer>>;
}

let running: Running | null = null;
const require = (): Running => {
  if (running === null) throw new Error("not opened");
  return running;
};

const methods: Methods = {
  open: async (parameters) => {
    const github = await createSandbox({
      clock: systemClock,
      random: systemRandom,
      hourlyLimit: parameters.hourlyLimit,
      deliveryOrder: "at once",
    });
    const ci = github.createOwner({ login: "ci", type: "user" });
    const owners = Array.from({ length: parameters.organisations }, (_, at) =>
      github.createOwner({ login: `org-${at}`, type: "organisation" }),
    );
    const repositories = Array.from({ length: parameters.repositories }, (_, at) => {
      const owner = owners[at % owners.length]?.login ?? "";
      const name = `service-${at}`;
      const { id } = github.createRepository({ owner, name, files: { ".github/tollgate.yml": POLICY } });
      return { id, name: `${owner}/${name}` };
    });
    const balancer = await startBalancer(parameters.loseEvery);
    const webhookUrl = `${balancer.url}/api/github/webhooks`;
    const app = await github.registerApp({ name: "Tollgate", webhookUrl });
    for (const { login } of owners) github.installApp({ appId: app.id, owner: login });
    await github.deliveries.settled();
    if (parameters.latency > 0)
      github.faults.add({ kind: "delay", ms: parameters.latency, times: Number.POSITIVE_INFINITY });
    const platform = await slowPlatform(parameters.platformLatency);
    const people = new People({ github, platformUrl: platform.url, repositories }, parameters);
    running = { github, appId: app.id, people, balancer };
    const grants = owners.map(({ id }) => ({ owner: id, org: "o", project: "p" }));
    const operatorFile = JSON.stringify({ trusted_posters: { users: [ci.id] }, grants });
    const { privateKey, webhookSecret } = app;
    return {
      githubUrl: github.url,
      platformUrl: platform.url,
      appId: app.id,
      privateKey,
      webhookSecret,
      operatorFile,
    };
  },
  setTargets: async (ports) => require().balancer.setTargets(ports),
  play: async (pace) => {
    const { people, github, balancer } = require();
    const before = { deliveries: github.deliveries.list().length, unanswered: balancer.unanswered() };
    const seconds = await people.play(pace);
    await github.deliveries.settled();
    return {
      seconds,
      actions: people.actions,
      deliveries: github.deliveries.list().length - before.deliveries,
      unanswered: balancer.unanswered() - before.unanswered,
    };
  },
  redeliver: async () => {
    const { deliveries } = require().github;
    const answered = new Set(listAnswered(require().github));
    const lost = deliveries
      .list()
      .filter(({ guid, event }) => !answered.has(guid) && event !== "installation");
    for (const { id } of lost) {
      while (!listAnswered(require().github).includes((await deliveries.redeliver(id)).guid))
        await sleep(200);
    }
    return lost.length;
  },
  observe: async () => {
    const { github, appId, people } = require();
    const acceptedMs = github.deliveries
      .list()
      .flatMap(({ durationMs, statusCode }) =>
        durationMs === null || statusCode === null ? [] : [durationMs],
      );
    const speed = { ...measureGates(github, people), acceptedMs };
    return { ...checkTraffic({ github, appId }, people), ...speed, calls: countCalls(github) };
  },
};

const listAnswered = ({ deliveries }: Sandbox): readonly string[] =>
  deliveries
    .list()
    .flatMap(({ guid, statusCode }) => (statusCode !== null && statusCode < 300 ? [guid] : []));

/** By the events of the App's own checks, which GitHub makes when it accepts a write. */
function measureGates(github: Sandbox, people: People): Pick<Observed, "firstCheckMs" | "gateMs"> {
  const first = new Map<string, number>();
  const gates = new Map<string, number>();
  for (const { event, action, body, createdAt } of github.deliveries.list({ event: "check_run" })) {
    const { check_run: run } = JSON.parse(body) as { check_run: { head_sha: string } }; // as the sandbox formats it
    const times = action === "completed" ? gates : first;
    if (event === "check_run" && !times.has(run.head_sha)) times.set(run.head_sha, createdAt);
  }
  const since = (times: ReadonlyMap<string, number>, began: ReadonlyMap<string, number>) =>
    [...began].flatMap(([sha, at]) => {
      const end = times.get(sha);
      return end === undefined ? [] : [end - at];
    });
  return { firstCheckMs: since(first, people.openedAt), gateMs: since(gates, people.pricedAt) };
}

process.on("message", ({ id, method, argument }: { id: number; method: keyof Methods; argument: never }) => {
  methods[method](argument).then(
    (value) => process.send?.({ id, value }),
    (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on("disconnect", () => process.exit());
