import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedWorld, type SimulatedWorld } from "../simulation/simulated-world.ts";
import { CHEAP } from "../world/costs.ts";
import { ScriptedPlatform } from "../world/scripted-platform.ts";

const policyOf = (condition: string) => `version: 1
expect: []
rules:
  - { id: attributes, when: '${condition}' }
`;
const LARGE = 'changes.rows.exists(r, has(r.after.class) && r.after.class == "large-canary")';

describe("a condition on attributes, of plans on the embedded platform", () => {
  let world: SimulatedWorld;
  beforeAll(async () => {
    world = await createSimulatedWorld({ policy: policyOf(LARGE) });
  });
  afterAll(() => world.ends());

  type Attributes = Readonly<Record<string, { old?: unknown; new?: unknown; sensitive?: boolean }>>;
  async function plan(attributes: Attributes, count = 1) {
    const pull = world.opensPullRequest();
    const changes = Array.from({ length: count }, (_, at) => ({
      address: `aws_db_instance.r${at}`,
      change: "changed" as const,
      attributes: at === 0 ? attributes : {},
    }));
    await world.ci.runs({ sha: pull.headSha, cost: CHEAP, changes });
    await world.settles();
    const { output } = world.checkOf(pull);
    return { gate: world.gate(pull), text: `${output.title} ${output.summary} ${world.comment(pull)}` };
  }

  it.each<[string, Attributes, number, string, RegExp]>([
    ["is violated by a value", { class: { old: "a", new: "large-canary" } }, 1, "failure", /attributes/],
    ["passes with another value, of as many as 200 rows", { class: { new: "small" } }, 200, "success", /./],
    ["is undecided with more rows", { class: { new: "small" } }, 201, "failure", /too large/],
    [
      "is undecided by a masked value",
      { class: { new: "hunter2", sensitive: true } },
      1,
      "failure",
      /sensitive/,
    ],
    [
      "is undecided by a value known later",
      { class: { new: "(known after apply)" } },
      1,
      "failure",
      /only after/,
    ],
  ])("%s", async (...[, attributes, count, gate, words]) => {
    const told = await plan(attributes, count);
    expect(told.gate).toBe(gate);
    expect(told.text).toMatch(words);
    expect(told.text).not.toContain("hunter2");
  });
});

describe("a condition on tags and attributes, on a platform whose rows state neither", () => {
  const DETAILS = /planned_changes\/rows\/\d+$/;
  let world: SimulatedWorld;
  let platform: ScriptedPlatform;
  beforeAll(async () => {
    platform = new ScriptedPlatform();
    const condition = 'changes.rows.exists(r, r.after.size > 20 && r.tags.team == "payments")';
    world = await createSimulatedWorld({ policy: policyOf(condition), ...platform.options() });
  });
  afterAll(() => world.ends());

  /** Answers with one resource, in a row for each of these changes, of which this is the detail. */
  function answers(detail: unknown, changes: readonly string[] = ["changed"]) {
    const row = {
      ...{ category: "planned_changes", type: "aws_db_instance" },
      ...{ name: "main", module: "root", resource_address: "aws_db_instance.main", mode: "managed" },
    };
    const rows = changes.map((change, ordinal) => ({ ...row, change, ordinal }));
    const count = (change: string) => Number(changes.includes(change));
    const types = {
      ...{ added: count("added"), changed: count("changed"), deleted: count("deleted") },
      ...{ imported: 0, removed: 0, unchanged: 0 },
    };
    platform.script = (target) => {
      if (DETAILS.test(target))
        return typeof detail === "number"
          ? detail
          : { ...rows[0], sensitive_attributes: [], ...Object(detail) };
      if (/planned_changes\/rows\?/.test(target))
        return { page: 1, pageSize: 100, rows, totalItems: rows.length, totalPages: 1 };
      if (!target.includes("filter-counts")) return undefined;
      const categories = { drift_changes: 0, outputs: 0, planned_changes: rows.length, resources: 0 };
      return { categories, change_types: types, modules: {}, providers: {}, types: {} };
    };
  }

  const size = { old: 10, new: 40 };
  it.each<[string, unknown, string, RegExp, (readonly string[])?]>([
    [
      "is undecided where the details are of the deleted half of a replacement",
      { attributes: {}, changes: { tags: { old: { team: "search" } } } },
      "failure",
      /tags of \S+ in \S+: not read/,
      ["deleted", "added"],
    ],
    [
      "reads both from the details of the row",
      { attributes: { tags: { team: "payments" } }, changes: { size } },
      "failure",
      /attributes/,
    ],
    [
      "passes by what the details state",
      { attributes: { tags: { team: "search" } }, changes: { size } },
      "success",
      /./,
    ],
    [
      "is undecided where the details state no tags",
      { attributes: {}, changes: { size } },
      "failure",
      /not read/,
    ],
    ["is undecided past retention, which is asked for once", 404, "failure", /no longer kept|not read/],
  ])("%s", async (...[name, detail, gate, words, changes]) => {
    answers(detail, changes);
    platform.calls.length = 0;
    const executionId = name.replaceAll(/\W/g, "");
    const pull = world.opensPullRequest();
    const url = platform.executionUrl(executionId);
    const posts = () => world.ci.posts({ sha: pull.headSha, executionId, state: "success", url });
    posts();
    await world.settles();
    posts();
    await world.settles();
    expect(world.gate(pull)).toBe(gate);
    expect(world.comment(pull)).toMatch(words);
    // Once for the verdict, once for what the comment shows.
    expect(platform.count(DETAILS)).toBe(2);
  });
});
