import { afterAll, beforeAll, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { REPOSITORY } from "../world/places.ts";

const POLICY = `version: 1
rules:
  - id: monthly-increase
    limit: { increase: 500 USD }
  - id: few-changes
    limit: { changes: 0 }
`;
const WEB = { address: "aws_instance.web", change: "changed" } as const;
const DEAR = { before: "100", after: "1100", change: "1000" };

let world: SimulatedWorld;
beforeAll(async () => {
  world = await createSimulatedWorld({ policy: POLICY });
});
afterAll(() => world.ends());

/** The comment as it is written, with its links. */
const written = (pull: Parameters<SimulatedWorld["comments"]>[0]): string =>
  world.github
    .comments(pull)
    .filter(({ appId }) => appId === world.appId)
    .map(({ body }) => body)
    .join("\n");

it("rules lead to their lines in the policy file, and a base branch that moves on is no reason to write again", async () => {
  const pull = world.opensPullRequest();
  const run = { sha: pull.headSha, cost: DEAR, changes: [WEB], bind: "status" as const };
  await world.ci.runs(run);
  await world.settles();
  const first = written(pull);
  const blob =
    /\(http:\/\/127\.0\.0\.1:\d+\/acme\/shop\/blob\/([0-9a-f]{40})\/\.github\/tollgate\.yml#L(\d)\)/g;
  const found = [...first.matchAll(blob)].map(([, commit = "", line]) => ({ commit, line }));
  expect(found.map(({ line }) => line)).toEqual(["3", "5"]);
  const [{ commit } = { commit: "" }] = found;
  expect(world.github.fileText({ repository: REPOSITORY, ref: commit, path: ".github/tollgate.yml" })).toBe(
    POLICY,
  );
  // The embedded platform has no pages.
  expect(first).not.toContain("/pipelines/");

  world.github.push({ repository: REPOSITORY, branch: "main", files: { "README.md": "# moved on\n" } });
  await world.ci.runs({ ...run, cost: { ...DEAR, after: "1101", change: "1001" } });
  await world.settles();
  const second = written(pull);
  expect(second).toContain("$1,001.00");
  expect([...second.matchAll(blob)].map(([, later]) => later)).toEqual([commit, commit]);
});
