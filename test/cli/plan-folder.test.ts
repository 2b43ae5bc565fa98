import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { estimate, project } from "../plan-files/estimate-builder.ts";
import { plan, planOf } from "../plan-files/plan-builder.ts";
import { createFolder } from "./folder.ts";
import { typed } from "./run-command.ts";

const { file, path: root } = createFolder();

const DELETES = planOf({ actions: ["delete"] });
let made = 0;

/** A new folder with these files at their paths in it. */
function folderOf(files: Readonly<Record<string, object | string>>): string {
  const name = `plans-${++made}`;
  mkdirSync(join(root, name));
  for (const [path, content] of Object.entries(files)) file(join(name, path), content);
  return join(root, name);
}

/** What the preview of these words says of each stage. */
async function stagesOf(...words: readonly string[]) {
  const { results, messages } = await typed(["preview", "--json", ...words]);
  expect(results, messages.join("\n")).not.toBe("");
  const { stages } = JSON.parse(results).report;
  return stages.map(
    ({ workspace, change, changes, status }: Record<string, unknown>) =>
      `${workspace} ${status} ${change} ${(changes as { deleted: number } | null)?.deleted ?? null}`,
  );
}

describe("a folder of plans", () => {
  test("is a stage for each plan in it, named by its path there", async () => {
    const folder = folderOf({
      "envs/prod/vpc/tfplan.json": DELETES,
      "envs/prod/vpc/tfplan.tfplan": "binary",
      "envs/prod/same/tfplan.json": plan(),
      "envs/dev/tfplan.json": plan({ errored: true }),
      "other/eu-1.tfplan.JSON": DELETES,
      "tfplan.json": plan(),
    });
    expect(await stagesOf("--plan", folder)).toEqual([
      "envs/dev failed null null",
      "envs/prod/same succeeded null 0",
      "envs/prod/vpc succeeded null 1",
      "other/eu-1 succeeded null 1",
      "default succeeded null 0",
    ]);
  });

  test("is joined with the projects of an estimate by path, the longest first, else by name", async () => {
    const folder = folderOf({
      "web/tfplan.json": DELETES,
      "prod/web/tfplan.json": plan(),
      "prod/db/tfplan.json": plan(),
      "prod/free/tfplan.json": DELETES,
    });
    const at = (path: string) => ({ metadata: { path } });
    const projects = [
      project("repo/live/prod/web", ["1", "3", "2"], at("../live/prod/web")),
      project("repo/live/web", ["1", "4", "3"], at("../live/web")),
      project("prod/db", ["1", "5", "4"], at("elsewhere")),
      project("repo/queue", ["1", "6", "5"], at("live/queue")),
    ];
    const costs = file("costs.json", estimate(projects, ["4", "18", "14"]));
    expect(await stagesOf("--plan", folder, "--infracost", costs)).toEqual([
      "prod/web succeeded 2 0",
      "web succeeded 3 1",
      "prod/db succeeded 4 0",
      "repo/queue succeeded 5 null",
      "prod/free succeeded 0 1",
    ]);
  });

  test("is not joined by the order of files, which no folder has", async () => {
    const folder = folderOf({ "a/tfplan.json": DELETES, "b/tfplan.json": plan() });
    const costs = ["x", "y"].map((name) =>
      file(`${name}.json`, estimate([project(name, ["1", "2", "1"])], ["1", "2", "1"])),
    );
    const stages = await stagesOf("--plan", folder, ...costs.flatMap((one) => ["--infracost", one]));
    expect(stages).toContain("x succeeded 1 null");
  });

  test.each<[string, () => readonly string[], RegExp]>([
    [
      "without a plan",
      () => [folderOf({ "a/notes.txt": "" })],
      /has no \*\.json file in it: give the one that/,
    ],
    [
      "with a file that is no plan",
      () => [folderOf({ "a/tfplan.json": plan(), "b/x.json": { valid: true, diagnostics: [] } })],
      /b\/x\.json seems to be the output of `terraform validate -json`/,
    ],
    [
      "with two plans of a unit",
      () => [folderOf({ "a/tfplan.json": plan(), "a.json": plan() })],
      /a\.json and .*a\/tfplan\.json are both of the unit a: a folder of plans has one/,
    ],
    [
      "with a name that no workspace has",
      () => [folderOf({ [`${"long/".repeat(26)}tfplan.json`]: plan() })],
      /has a name of 129 characters, and a workspace has at most 128/,
    ],
    [
      "that a link leads back to",
      () => {
        const folder = folderOf({ "a/tfplan.json": plan() });
        symlinkSync("..", join(folder, "a/up"));
        return [folder];
      },
      /a\/up is a link to a folder, which is not followed/,
    ],
    [
      "with too many files",
      () => [folderOf(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`${at}.json`, "{}"])))],
      /has more than 1000 \*\.json files in it/,
    ],
    [
      "of one workspace",
      () => [folderOf({ "a/tfplan.json": plan() }), "--workspace", "production"],
      /is a folder of plans, and each plan in it is a workspace of its own: leave out --workspace/,
    ],
  ])("%s is refused, with what was found and the way out", async (_, words, message) => {
    const { code, messages } = await typed(["preview", "--plan", ...words()]);
    expect(code).toBe(2);
    expect(messages.join("\n")).toMatch(message);
  });
});
