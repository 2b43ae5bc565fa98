import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, inject, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { ProcessCi } from "../soak/process-ci.ts";
import { type Killable, type KillableOptions, killable, REPOSITORY } from "../stories/killable.ts";
import { CHEAP } from "../world/costs.ts";
import { eventually } from "../world/eventually.ts";

const POLICY = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 100 USD } }\n";
const HOUR = 3_600_000;
const MEGABYTE = 1024 * 1024;

/** A Tollgate in a process of its own, with a CI. */
async function begin(options: KillableOptions): Promise<{ world: Killable; ci: ProcessCi }> {
  const environment = { PLATFORM_ACCOUNT: "acc", LANE_SPACING_MS: "200", GITHUB_WRITE_SPACING_MS: "100" };
  const world = await killable(POLICY, {
    ...options,
    environment: { ...environment, ...options.environment },
  });
  onTestFinished(() => world.ends());
  const open = () => openDatabase({ kind: "directory", directory: world.data }, () => {});
  return { world, ci: await ProcessCi.create(world, open) };
}

const opens = ({ github }: Killable, branch: string) => {
  github.push({ repository: REPOSITORY, branch, files: { [`infra/${branch}.tf`]: `# ${branch}\n` } });
  return github.openPullRequest({ repository: REPOSITORY, head: branch, title: branch });
};
const gate = ({ github, appId }: Killable, { headSha: sha }: { headSha: string }): readonly string[] =>
  github
    .checkRuns({ repository: REPOSITORY, sha, appId })
    .map(({ conclusion, status }) => conclusion ?? status);
const becomes = (world: Killable, pull: { headSha: string }, state: string) =>
  eventually(() => expect(gate(world, pull)).toEqual([state]));

it("the clock is set forward and back by hours: checks end right, and no call waits for the clock", {
  timeout: 120_000,
}, async () => {
  const shift = join(mkdtempSync(join(tmpdir(), "tollgate-clock-")), "shift");
  const preload = join(import.meta.dirname, "shifted-clock.ts");
  const { world, ci } = await begin({
    environment: { CLOCK_SHIFT: shift, NODE_OPTIONS: `--import ${pathToFileURL(preload)}` },
  });
  await world.start();
  const early = opens(world, "early");
  await becomes(world, early, "in_progress");
  writeFileSync(shift, String(5 * HOUR));
  const ahead = opens(world, "ahead");
  await eventually(() => expect(["in_progress", "failure"]).toContain(gate(world, ahead)[0]));
  await becomes(world, early, "failure"); // what it waited for did not come in two hours
  for (const { headSha: sha } of [early, ahead]) await ci.runs({ sha, cost: CHEAP, changes: [] });
  for (const pull of [early, ahead]) await becomes(world, pull, "success");
  writeFileSync(shift, String(-7 * HOUR));
  const back = opens(world, "back");
  await becomes(world, back, "in_progress");
  await ci.runs({ sha: back.headSha, cost: CHEAP, changes: [] });
  await becomes(world, back, "success");
});

/** A file system of its own; null: this account may not make one. */
function mountSmallDisk(): string | null {
  const place = mkdtempSync(join(tmpdir(), "tollgate-disk-"));
  const options = ["-t", "tmpfs", "-o", "size=200m", "tmpfs", place];
  return spawnSync("mount", options).status === 0 ? place : null;
}

const disk = inject("isDeep") ? mountSmallDisk() : null;
afterAll(() => {
  if (disk !== null) spawnSync("umount", ["-l", disk]);
});

it.runIf(disk)(
  "the disk of the data directory fills: the process ends and says why, and a start after it was freed does what was accepted",
  { timeout: 120_000 },
  async () => {
    const place = disk ?? "";
    const { world } = await begin({ environment: { TOLLGATE_DATA: join(place, "data") } });
    const child = await world.start();
    const said = listen(child);
    world.github.faults.add({ kind: "delay", ms: 60_000, match: { path: /graphql/ }, times: 1 });
    const pull = opens(world, "change");
    await world.github.deliveries.settled();
    expect(
      world.github.deliveries.list({ event: "pull_request" }).map(({ statusCode }) => statusCode),
    ).toEqual([200]);
    const { bavail, bsize } = statfsSync(place);
    writeFileSync(join(place, "other"), Buffer.alloc(bavail * bsize - 30 * MEGABYTE));
    expect(await once(child, "exit")).toEqual([2, null]);
    expect(said()).toMatch(/nearly full: \d+ MB are free, 48 MB are needed.*Free some space and start again/);
    const refused = world.spawn();
    const why = listen(refused);
    expect(await once(refused, "exit")).toEqual([2, null]);
    expect(why()).toMatch(/nearly full: \d+ MB are free, 64 MB are needed/);
    expect(gate(world, pull)).not.toContain("success");
    writeFileSync(join(place, "other"), "");
    world.github.faults.clear();
    await world.start();
    await becomes(world, pull, "in_progress");
  },
);

function listen(child: ChildProcess): () => string {
  let said = "";
  child.stderr?.on("data", (text) => {
    said += text;
  });
  return () => said;
}
