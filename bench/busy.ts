import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { type Killable, killable, REPOSITORY } from "../test/stories/killable.ts";
import { type Prepared, quantile } from "./measure.ts";

const POLICY = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 500 USD } }\n";
const PULLS = 40;
const PER_SECOND = 100;
const SECONDS = 20;
const CONNECTIONS = 50;

interface Sample {
  readonly waitedMs: number;
  readonly accepted: boolean;
}

/** A hundred deliveries a second about pull requests that are open, each of which a worker evaluates. */
async function paced(world: Killable): Promise<readonly Sample[]> {
  const { origin, pathname: path } = new URL(world.webhookUrl);
  const pool = new Pool(origin, { connections: CONNECTIONS, headersTimeout: 120_000 });
  const bodies = world.github.deliveries.list({ event: "pull_request" }).map(({ body }) => body);
  const samples: Sample[] = [];
  const send = async (body: string): Promise<void> => {
    const signature = createHmac("sha256", world.webhookSecret).update(body).digest("hex");
    const headers = {
      "content-type": "application/json",
      "x-github-event": "pull_request",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": `sha256=${signature}`,
    };
    const sent = performance.now();
    const { statusCode, body: answer } = await pool.request({ path, method: "POST", headers, body });
    await answer.dump();
    samples.push({ waitedMs: performance.now() - sent, accepted: statusCode === 200 });
  };
  const running: Promise<void>[] = [];
  const started = performance.now();
  for (let index = 0; index < PER_SECOND * SECONDS; index++) {
    await sleep(Math.max(0, started + (index * 1_000) / PER_SECOND - performance.now()));
    running.push(send(bodies[index % bodies.length] ?? ""));
  }
  await Promise.all(running);
  await pool.close();
  return samples;
}

/** How fast deliveries are taken by a whole `tollgate start` on the embedded database while its workers evaluate what they ask for. */
export async function prepare(): Promise<Prepared> {
  const world = await killable(POLICY);
  await world.start();
  for (let index = 0; index < PULLS; index++) {
    const branch = `change-${index}`;
    world.github.push({ repository: REPOSITORY, branch, files: { [`infra/${index}.tf`]: "#\n" } });
    world.github.openPullRequest({ repository: REPOSITORY, head: branch, title: "A change" });
  }
  await world.github.deliveries.settled();
  const once = { rounds: 1, warmUp: 0 } as const;
  const refused: number[] = [];
  return {
    measures: [
      {
        ...{ what: "accepted at 100/s while workers are busy, p99", goal: "≤ 20 ms", ...once },
        run: async () => {
          const samples = await paced(world);
          refused.push(samples.filter(({ accepted }) => !accepted).length);
          return quantile(
            samples.map(({ waitedMs }) => waitedMs),
            0.99,
          );
        },
      },
      { what: "… refused", goal: "0", ...once, unit: "", run: () => refused[0] },
    ],
    close: () => world.ends(),
  };
}
