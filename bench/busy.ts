import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { type Killable, killable, REPOSITORY } from "../test/stories/killable.ts";
import { type Figure, ms, quantile } from "./figures.ts";

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
export async function busy(): Promise<readonly Figure[]> {
  const world = await killable(POLICY);
  try {
    await world.start();
    for (let index = 0; index < PULLS; index++) {
      world.github.push({
        repository: REPOSITORY,
        branch: `change-${index}`,
        files: { [`infra/${index}.tf`]: "#\n" },
      });
      world.github.openPullRequest({ repository: REPOSITORY, head: `change-${index}`, title: "A change" });
    }
    await world.github.deliveries.settled();
    const before = world.github.requests.count();
    const samples = await paced(world);
    const waits = samples.map(({ waitedMs }) => waitedMs);
    const calls = (world.github.requests.count() - before) / SECONDS;
    const refused = samples.filter(({ accepted }) => !accepted).length;
    return [
      {
        what: "accepted at 100/s while workers are busy, median",
        value: ms(quantile(waits, 0.5)),
        goal: "–",
      },
      { what: "… p99", value: ms(quantile(waits, 0.99)), goal: "≤ 200 ms" },
      { what: "… refused", value: String(refused), goal: "0" },
      {
        what: "… calls of GitHub that the workers made meanwhile",
        value: `${Math.round(calls)}/s`,
        goal: "–",
      },
    ];
  } finally {
    await world.ends();
  }
}
