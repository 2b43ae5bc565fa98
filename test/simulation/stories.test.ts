import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MUTANTS } from "./mutants.ts";
import { play } from "./play.ts";
import type { Step } from "./step.ts";
import { openStoryDatabase } from "./story.ts";
import { formatStory, readStory, search } from "./story-search.ts";
import { OPENS, planned, SETTLES } from "./usual-steps.ts";

describe("a story of the simulator", () => {
  let database: Awaited<ReturnType<typeof openStoryDatabase>>;
  beforeAll(async () => {
    database = await openStoryDatabase();
  });
  afterAll(() => database.close());

  test.each([
    ["was seen", [{ do: "settles" }]],
    ["was not seen", []],
    ["was told by a delivery that got lost", [{ do: "loses", times: 9 }]],
  ] as const)("an execution that %s before an older one hid its status still counts", async (_, seen) => {
    const { ends } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "plans", pull: 0, commit: "head", workspace: "production" },
      { do: "is planned", pull: 0, cost: 500 },
      ...seen,
      { do: "ends", cost: 20 },
      { do: "settles" },
    ]);
    expect(ends).toEqual(["over, for approvers"]);
  });

  test("an execution whose delivery arrives while the statuses of its head are listed still counts", async () => {
    const { ends } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "is restarted", effects: 0 },
      { do: "settles" },
      { do: "plans", pull: 0, commit: "head", workspace: "staging" },
      { do: "is planned", pull: 0, cost: 500, workspace: "staging" },
      { do: "runs", effects: 9, order: 0 },
      { do: "call fails", fault: "before", writesOnly: false },
      { do: "ends", cost: 20 },
      { do: "runs", effects: 9, order: 0 },
    ]);
    expect(ends).toEqual(["over, for approvers"]);
  });

  test.each<[string, readonly Step[], readonly Step[]]>([
    ["a draft", [{ ...OPENS, draft: true }, planned(500)], [{ do: "readies", pull: 0 }]],
    ["a check that passes", [OPENS, planned(20)], [planned(500)]],
  ])("an override of %s is refused, also for later", async (_, before, after) => {
    const { ends, passes } = await play(database, [
      { do: "edits policy", base: "main", policy: "overridable" },
      ...before,
      SETTLES,
      { do: "overrides", pull: 0, by: "grace", head: "head" },
      SETTLES,
      ...after,
      SETTLES,
    ]);
    expect(ends).toEqual(["over"]);
    expect(passes).toBeLessThan(2);
  });

  test("two check runs that a paused process and another one created at the same time are both ended", async () => {
    const { ends, trace } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "opens", files: "infra", draft: false },
      { do: "is planned", pull: 0, cost: 20 },
      { do: "is planned", pull: 1, cost: 20, workspace: "staging" },
      { do: "settles" },
      { do: "are queued" },
      { do: "pushes", pull: 0 },
      { do: "settles" },
      { do: "is restarted", effects: 0 },
      { do: "is planned", pull: 1, cost: 20, workspace: "production" },
      { do: "delivers", times: 1 },
      { do: "pushes", pull: 1 },
      { do: "call fails", fault: "before", writesOnly: true },
      { do: "runs", effects: 7, order: 0 },
      { do: "stalls", effects: 0 },
      { do: "delivers", times: 3 },
    ]);
    expect(ends).toEqual(["waits", "waits"]);
    // Four heads, a commit of the queue that the sweep finds, one call that failed, and a second one for the last head.
    expect(trace.filter((call) => /^POST .*check-runs$/.test(call))).toHaveLength(7);
  });

  test("a run that was paused until its access token ended writes no check after a later run of its lane began", async () => {
    const { ends } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "opens", files: "infra", draft: false },
      { do: "is planned", pull: 0, cost: 20 },
      { do: "is planned", pull: 1, cost: 20, workspace: "staging" },
      { do: "settles" },
      { do: "are queued" },
      { do: "settles" },
      { do: "edits organisation policy", policy: "fixed" },
      { do: "delivers", times: 1 },
      { do: "starts another" },
      { do: "runs", effects: 1, order: 517 },
      { do: "stalls", effects: 0 },
      { do: "waits", minutes: 130 },
    ]);
    expect(ends).toEqual(["invalid", "invalid"]);
  });

  test("a head that is replaced before its first check is written has no report", async () => {
    const { trace } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "delivers", times: 3 },
      { do: "is planned", pull: 0, cost: 20, workspace: "production" },
      { do: "runs", effects: 1, order: 0 },
      { do: "pushes", pull: 0 },
      { do: "is planned", pull: 0, cost: 20, workspace: "production" },
    ]);
    const writes = trace.filter((call) => /^(POST|PATCH) .*(check-runs|comments)/.test(call));
    expect(writes.map((call) => call.replace(/^(\w+) .*\/(check-runs|comments).*/, "$1 $2"))).toEqual([
      "POST check-runs",
      "POST comments",
    ]);
  });

  test("of two reports that a paused process and another one wrote at the same time, one stays", async () => {
    const { trace } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "is approved", which: 0 },
      { do: "call fails", fault: "limit", writesOnly: false },
      { do: "waits", minutes: 130 },
      { do: "runs", effects: 2, order: 0 },
      { do: "runs", effects: 3, order: 0 },
      { do: "stalls", effects: 13 },
    ]);
    expect(trace.filter((call) => /^POST .*comments$/.test(call))).toHaveLength(2);
    expect(trace.filter((call) => /^DELETE .*comments/.test(call))).toHaveLength(1);
  });

  test("of one head that two processes evaluate for two pull requests at the same time has one check run", async () => {
    const { ends, trace } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "opens", files: "infra", draft: false },
      { do: "starts another" },
      { do: "joins", pull: 1 },
    ]);
    expect(ends).toEqual(["waits", "waits"]);
    expect(trace.filter((call) => /^POST .*check-runs$/.test(call))).toHaveLength(1);
  });

  test("a merge group does not pass once an earlier one of its pull requests was pushed, even if the new head passes", async () => {
    const { ends } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "opens", files: "infra", draft: false },
      { do: "is planned", pull: 0, cost: 500 },
      { do: "is planned", pull: 1, cost: 20, workspace: "staging" },
      { do: "settles" },
      { do: "are queued" },
      { do: "settles" },
      { do: "pushes", pull: 0 },
      { do: "is planned", pull: 0, cost: 20 },
      { do: "settles" },
    ]);
    expect(ends).toEqual(["within", "within"]);
  });

  test("two pull requests of one workspace that change different resources both merge, the second one after the group was planned", async () => {
    const { ends } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "opens", files: "infra", draft: false },
      { do: "is planned", pull: 0, cost: 20, resource: "web" },
      { do: "is planned", pull: 1, cost: 20, resource: "db" },
      { do: "settles" },
      { do: "is queued", pull: 0 },
      { do: "is queued", pull: 1 },
      { do: "settles" },
      { do: "queue moves on" },
      { do: "settles" },
      { do: "group is planned", cost: 40, workspace: "production" },
      { do: "settles" },
      { do: "queue moves on" },
      { do: "settles" },
    ]);
    expect(ends).toEqual([]);
  });

  test("a merge group whose sum needs a waiver fails when the waiver ends", async () => {
    const { ends } = await play(database, [
      { do: "edits policy", base: "main", policy: "waived" },
      { do: "opens", files: "infra", draft: false },
      { do: "opens", files: "infra", draft: false },
      { do: "is planned", pull: 0, cost: 90 },
      { do: "is planned", pull: 1, cost: 90, workspace: "staging" },
      { do: "waits", minutes: 14 * 60 },
      { do: "are queued" },
      { do: "settles" },
      { do: "waits", minutes: 130 },
    ]);
    expect(ends).toEqual(["within", "within"]);
  });

  test("a merge group fails when an approval ends, although GitHub takes no check for a while", async () => {
    const refused: Step = { do: "call fails", fault: "before", writesOnly: true };
    const { ends } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "is planned", pull: 0, cost: 500 },
      { do: "is approved", which: 0 },
      { do: "is queued", pull: 0 },
      { do: "settles" },
      { do: "revokes", pull: 0, by: "grace" },
      ...Array.from({ length: 4 }, () => refused),
      { do: "settles" },
    ]);
    expect(ends).toEqual(["over, for approvers"]);
  });

  test("in which a pull request comes to a commit that passed under the name of an earlier policy ends without that pass", async () => {
    const { ends } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "opens", files: "infra", draft: false },
      { do: "is planned", pull: 0, cost: 90 },
      { do: "settles" },
      { do: "closes", pull: 0 },
      { do: "settles" },
      { do: "edits organisation policy", policy: "renamed" },
      { do: "settles" },
      { do: "joins", pull: 1 },
      { do: "settles" },
    ]);
    expect(ends).toEqual(["over"]);
  });

  test("in which pull requests into two branches come to one commit ends with a check for each, without a sweep", async () => {
    const { ends } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "opens", files: "infra", draft: false },
      { do: "is planned", pull: 0, cost: 20 },
      { do: "is planned", pull: 1, cost: 20, workspace: "staging" },
      { do: "settles" },
      { do: "are queued" },
      { do: "retargets", pull: 0, base: "release" },
      { do: "revokes", pull: 1, by: "grace" },
      { do: "joins", pull: 1 },
      { do: "settles" },
    ]);
    expect(ends).toEqual(["within", "within"]);
  });

  test("in which GitHub creates two comments after their answers were given up ends with one comment", async () => {
    const { ends } = await play(database, [
      { do: "opens", files: "infra", draft: false },
      { do: "settles" },
      { do: "is planned", pull: 0, cost: 20 },
      { do: "delivers", times: 1 },
      { do: "is restarted", effects: 11 },
      { do: "GitHub is late" },
      { do: "GitHub is late" },
      { do: "settles" },
    ]);
    expect(ends).toEqual(["within"]);
  });

  test("that goes wrong is printed as a short test, in which the same goes wrong", async () => {
    const mutant = MUTANTS["comments are never enqueued"] ?? {};
    const { failure } = await search(database, { seed: 3, stories: 20, steps: 12, mutant });
    const pasted = formatStory(failure ?? { steps: [], problem: "" });
    expect(pasted).toMatch(/^BrokenInvariant: .*0 comments report it/);
    const steps = readStory(pasted);
    expect(steps.length).toBeLessThan(4);
    await expect(play(database, steps, mutant)).rejects.toThrow("0 comments report it");
    expect((await play(database, steps)).effects).toBeGreaterThan(0);
  });
});
