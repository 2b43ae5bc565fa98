import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { bundle } from "../../scripts/bundle.ts";
import { ROOT, TARGETS } from "../../scripts/targets.ts";
import { type CiWorld, createCiWorld, estimateOf } from "../world/ci-job.ts";
import { STRICT } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly main: string };
}
const ACTION = parse(readFileSync(`${ROOT}action.yml`, "utf8")) as ActionFile; // the tests below fail for another shape

let world: CiWorld;
let folder: string;
beforeAll(async () => {
  world = await createCiWorld(STRICT);
  folder = join(world.directory, "action of somebody");
  await bundle({ ...TARGETS.action, folder });
});
afterAll(() => world.ends());

/** Runs the bundle as the runner does: no arguments, inputs by environment, and nothing else of this process. */
async function step(inputs: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>>) {
  const files = {
    GITHUB_OUTPUT: world.file(""),
    GITHUB_STEP_SUMMARY: world.file(""),
    RUNNER_TEMP: world.directory,
  };
  const all = {
    ...Object.fromEntries(
      Object.entries(ACTION.inputs).map(([name, { default: value = "" }]) => [name, value]),
    ),
    ...inputs,
  };
  const named = Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const child = spawn(process.execPath, [join(folder, ACTION.runs.main.replace(/^action\//, ""))], {
    cwd: world.directory,
    env: { ...files, ...environment, ...Object.fromEntries(named) },
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return {
    code,
    output,
    errors,
    outputs: world.read(files.GITHUB_OUTPUT),
    summary: world.read(files.GITHUB_STEP_SUMMARY),
  };
}

describe("the Action's bundle, copied elsewhere without node_modules", () => {
  it("blocks a pull request, and sets outputs, summary and one annotation", async () => {
    const pull = world.opens();
    const { GITHUB_TOKEN: token = "", ...environment } = await world.environment(pull);
    mkdirSync(join(world.directory, "infra"));
    const file = basename(world.file(estimateOf("500"), "infra/estimate.json"));
    const ended = await step(
      {
        infracost: file,
        workspace: "production",
        "working-directory": "infra",
        "github-token": token,
        "job-total": "1",
        "organisation-policy": "none",
      },
      environment,
    );
    expect(`${ended.errors}${ended.output}`.replace(token, "TOKEN")).toMatchInlineSnapshot(`
      "::add-mask::TOKEN
      Blocked: +$500.00 per month (+5,000%)
      monthly-increase: violated
      tollgate: main: failure
      ::error title=Tollgate::Blocked: +$500.00 per month (+5,000%25)%0Amonthly-increase: violated
      "
    `);
    expect(ended.code).toBe(1);
    expect(ended.outputs).toMatch(
      /^conclusion<<(\S+)\nfailure\n\1\nchange<<(\S+)\n500 USD\n\2\nreport<<(\S+)\n.*tollgate-report\.json\n\3\n$/,
    );
    expect(ended.summary).toContain("Blocked");
    expect(world.gate(pull)).toBe("failure");
  });

  it("refuses to be one of several jobs of a matrix, which would overwrite each other's verdict", async () => {
    const ended = await step({ infracost: "a.json", "job-total": "3" }, {});
    expect(ended.code).toBe(2);
    expect(ended.output).toMatch(
      /^::error title=Tollgate::mode check in a matrix: .*\n.*docs\/ci\/github-actions\.md/,
    );
  });

  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, RegExp]>([
    [
      "an input that is neither true nor false",
      { "public-figures": "yes" },
      {},
      /::with\.public-figures: is "yes", must be true or false$/m,
    ],
    [
      "a missing permission for id tokens",
      { mode: "send", url: "http://127.0.0.1:9", infracost: "a.json" },
      { GITHUB_ACTIONS: "true", CI: "true" },
      /::There is an address, but no token: the job lacks `id-token: write`\.$/m,
    ],
    ["a missing token for GitHub", { infracost: "a.json" }, { GITHUB_REPOSITORY: "acme/shop" }, /::[^%]*$/m],
  ])("names %s in its annotation", async (_, inputs, environment, annotation) => {
    const ended = await step(inputs, environment);
    expect(ended.code).toBe(2);
    expect(ended.output).toMatch(annotation);
  });

  it("names a missing file, and a mistake of the policy, in log and annotation", async () => {
    const pull = world.opens();
    const { GITHUB_TOKEN: token = "", ...environment } = await world.environment(pull);
    const inputs = { "github-token": token, "organisation-policy": "none", workspace: "production" };
    const missing = await step({ ...inputs, plan: "nowhere.json" }, environment);
    expect(missing.output).toMatch(/^production: .*nowhere\.json/m);
    expect(missing.output).toMatch(/^::error title=Tollgate::production: .*nowhere\.json.*%0A/m);
    world.github.push({
      repository: REPOSITORY,
      branch: "main",
      files: { ".github/tollgate.yml": "version: 1\nrules: [{ id: a, limit: { incraese: 5 USD } }]\n" },
    });
    const wrong = await step({ ...inputs, infracost: basename(world.file(estimateOf("5"))) }, environment);
    expect(wrong.output).toMatch(
      /^::error title=Tollgate::.*%0Aacme\/shop:\.github\/tollgate\.yml:2:\d+ rules\[0\]\.limit\.incraese is not a key/m,
    );
  });
});

it("action.yml starts the bundle's entry with Node 24", () => {
  expect(ACTION.runs).toEqual({ using: "node24", main: "action/dist/action/main.js" });
  expect(dirname(dirname(ACTION.runs.main))).toBe("action/dist");
});
