import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../world/eventually.ts";
import { type Killable, killable, kills, REPOSITORY } from "./killable.ts";

const RULES = "version: 1\nrules:\n  - { id: a, limit: { increase: 1 USD } }\n";
const POLICY_FILE = ".github/tollgate.yml";
const MODES = ["hide-and-new", "delete-and-new"] as const;

let world: Killable;
beforeAll(async () => {
  world = await killable(RULES);
  for (const mode of MODES) pushes(mode, `${RULES}comment: { mode: ${mode} }\n`);
});
afterAll(() => world.ends());

const pushes = (branch: string, policy: string, from = "main") =>
  world.github.push({ repository: REPOSITORY, branch, from, files: { [POLICY_FILE]: policy } });

/** Each comment of ours: folded or not, and whether it is about this head. */
const seen = (pull: { repositoryId: number; number: number; headSha: string }): readonly string[] =>
  world.github
    .comments(pull)
    .filter(({ appId }) => appId === world.appId)
    .map(({ body, minimised }) => {
      const about = body.includes(pull.headSha.slice(0, 8)) ? "the newest" : "an earlier one";
      return `${minimised ?? "shown"}: ${about}`;
    });

const HELD_MS = 1_500;
const LISTS = { method: "GET", path: /issues\/\d+\/comments/ };
const WRITES = { method: "POST", path: /issues\/\d+\/comments/ };

let running: ChildProcess | null = null;

it.each([
  ["before a further one is begun", [LISTS, LISTS]],
  ["while a further one is written", [WRITES, WRITES]],
  [
    "while the earlier one is put away",
    [
      { method: "GET", path: /issues\/comments\/\d+/ }, // what is to be folded is looked at first
      { method: "DELETE", path: /issues\/comments\/\d+/ },
    ],
  ],
])("kill -9 %s: in the end one comment shows, the newest", { timeout: 120_000 }, async (moment, held) => {
  const { github } = world;
  running ??= await world.start();
  const opened = MODES.map((mode) => {
    const head = `${mode} ${moment}`.replaceAll(" ", "-");
    pushes(head, `${RULES}comment: { mode: ${mode} }\n# more\n`, mode);
    return github.openPullRequest({ repository: REPOSITORY, head, base: mode, title: moment });
  });
  await eventually(() => expect(opened.map(seen)).toEqual(opened.map(() => ["shown: the newest"])));
  github.faults.clear();
  for (const match of held) github.faults.add({ kind: "delay", ms: HELD_MS, match });
  for (const { headRef, baseRef } of opened) pushes(headRef, "version: 1\nrules: [\n", baseRef);
  await eventually(() => expect(github.faults.hits()).toBe(2));
  await kills(running);
  // What was sent takes effect, though nobody hears the answer.
  await new Promise((resolve) => setTimeout(resolve, HELD_MS));
  github.faults.clear();
  running = await world.start();
  const [hides, deletes] = opened.map((pull) => () => seen(github.pullRequest(pull)));
  await eventually(() => {
    expect(hides?.()).toEqual(["outdated: an earlier one", "shown: the newest"]);
    expect(deletes?.()).toEqual(["shown: the newest"]);
  });
});
