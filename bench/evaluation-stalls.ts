import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { STRICT } from "../test/world/costs.ts";
import { NAME, OWNER, REPOSITORY } from "../test/world/places.ts";
import { createWorld, type World } from "../test/world/world.ts";
import { type Figure, median, ms } from "./figures.ts";
import { costsOf } from "./platform-stalls.ts";

/** CI reports the costs of so many resources, and the bot on the same machine's embedded platform evaluates them. */
async function stallOf(world: World, resources: number): Promise<number> {
  const pull = world.opensPullRequest();
  await world.settles();
  const id = await world.ci.runs({ sha: pull.headSha, changes: [], status: null, bind: "none" });
  const key = await world.ci.token({ purpose: "api" });
  const stage = { pipeline_execution_id: id, pipeline_stage_id: `${id}-plan` };
  const about = { stage_execution_id: stage.pipeline_stage_id, workspace_id: "production" };
  const body = JSON.stringify({
    ...{ org: OWNER, project: NAME, ...stage, status: "success" },
    ...{ commit: { repository: REPOSITORY, sha: pull.headSha }, cost: { ...costsOf(resources), ...about } },
  });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await sleep(20);
  delay.reset();
  await sleep(20); // the first interval after a reset is not recorded
  const headers = { "x-api-key": key, "platform-account": "acc", "content-type": "application/json" };
  const response = await fetch(`${world.bot.url}/tollgate/v1/ingest`, { method: "POST", body, headers });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  await world.settles();
  delay.disable();
  return delay.max / 1e6;
}

/** For how long an evaluation keeps the bot from answering, at most; the embedded database is in the same process. */
export async function evaluationStalls(rounds: number): Promise<readonly Figure[]> {
  const world = await createWorld({ policy: STRICT, databaseUrl: null });
  const figures: Figure[] = [];
  for (const resources of [100, 1_000, 10_000]) {
    const found: number[] = [];
    for (let round = 0; round < rounds; round += 1) found.push(await stallOf(world, resources));
    const what = `evaluation of ${resources.toLocaleString("en")} priced resources`;
    figures.push({ what, value: ms(median(found)), goal: "–" });
  }
  await world.ends();
  return figures;
}
