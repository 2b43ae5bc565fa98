import { describe, expect, it } from "vitest";
import {
  type ExecutionCandidate,
  mergeCandidates,
  UNANNOUNCED,
} from "../../src/evaluate/facts/executions.ts";
import {
  readExecution,
  type StageExecution,
  selectNewestStages,
  selectStages,
} from "../../src/evaluate/facts/find-stages.ts";
import { Execution } from "../../src/platform/contract/executions.ts";
import { createFailure, type Failure } from "../../src/platform/errors.ts";

const recorded = (execution: string, own: Partial<Execution> = {}): Execution =>
  Execution.parse({
    org: "o",
    project: "p",
    pipeline_execution_id: execution,
    pipeline_stage_id: `${execution}-s`,
    workspace: "prod",
    status: "success",
    created: 1,
    ...own,
  });
const stages = (count: number): readonly Execution[] =>
  Array.from({ length: count }, (_, index) => recorded("wanted", { pipeline_stage_id: `s${index}` }));
const others = (count: number): readonly Execution[] =>
  Array.from({ length: count }, (_, index) => recorded(`other${index}`));

const candidate = (own: Partial<ExecutionCandidate> = {}): ExecutionCandidate => ({
  org: "o",
  project: "p",
  executionId: "wanted",
  source: "status",
  proven: true,
  ...UNANNOUNCED,
  ...own,
});

/** Reads the execution from a platform that answers so: with a page and the total that it states, or with a failure. */
async function reads(
  answer: readonly Execution[] | Failure["kind"],
  total: number | null = null,
  pipeline: string | null = null,
) {
  const asked: unknown[] = [];
  const client = {
    call: async (_: unknown, { query }: { query: unknown }) => {
      asked.push(query);
      return typeof answer === "string"
        ? { ok: false, failure: createFailure(answer, "no") }
        : { ok: true, value: answer, headers: total === null ? {} : { "x-total-items": `${total}` } };
    },
  };
  const operator = { otherPipelines: [{ org: "o", isMatch: (id: string) => id === "docs" }] };
  const read = await readExecution(
    { platform: client, operator } as unknown as Parameters<typeof readExecution>[0], // what a read looks at
    candidate({ pipeline }),
  );
  expect(asked).toEqual([{ pipeline_execution_id: "wanted", limit: 100 }]);
  if (read.state === "unread") return `unread: ${read.failure.kind}`;
  if (read.state === "absent") return read.canProvision ? "absent" : "provisions nothing";
  return read.stages.map(({ stageExecutionId, status }) => `${stageExecutionId} ${status}`);
}

describe("an execution is listed by its id, on one page", () => {
  const own = recorded("wanted");
  it.each<[string, Parameters<typeof reads>, unknown]>([
    ["alone", [[own]], ["wanted-s succeeded"]],
    [
      "with all its stages, ended and running",
      [[own, recorded("wanted", { pipeline_stage_id: "t", status: "none" })], 2],
      ["wanted-s succeeded", "t pending"],
    ],
    [
      "with a status that no document names",
      [[recorded("wanted", { status: "paused" })]],
      ["wanted-s unknown"],
    ],
    ["with 100 stages, which are all", [stages(100), 100], expect.any(Array)],
    ["with more stages than the page holds", [stages(100), 250], "unread: malformed"],
    ["with a long page of a platform that states no total", [stages(25)], "unread: malformed"],
    ["among all others, where the filter is ignored", [[...others(5), own]], ["wanted-s succeeded"]],
    [
      "among some of the others, where the filter is ignored",
      [[...others(29), own], 80],
      "unread: malformed",
    ],
    ["not at all, where the filter is ignored", [others(30), 80], "absent"],
    ["not at all", [[]], "absent"],
    ["not at all, of a pipeline that provisions nothing", [[], 0, "docs"], "provisions nothing"],
    ["although its pipeline should provision nothing", [[own], 1, "docs"], ["wanted-s succeeded"]],
    ["by a platform that refuses the filter", ["rejected"], "unread: rejected"],
    ["by a platform that fails", ["unavailable"], "unread: unavailable"],
  ])("%s", async (_, answer, expected) => expect(await reads(...answer)).toEqual(expected));
});

describe("an execution that several sources name", () => {
  const said = { pipeline: "docs", page: "https://platform.example/x", isRunning: true };
  const notified = candidate({ source: "notification" });
  it.each<[string, Partial<ExecutionCandidate>, Partial<ExecutionCandidate>]>([
    ["is proven by one of them, and a stranger adds nothing to it", { proven: false, ...said }, {}],
    ["has what all trusted ones say about it", said, said],
  ])("%s", (_, status, expected) => {
    const merged = [{ ...notified, ...expected }];
    expect(mergeCandidates([notified, candidate(status)])).toEqual(merged);
    expect(mergeCandidates([candidate(status), notified])).toEqual(merged);
  });
});

describe("of several executions of a workspace", () => {
  const stage = (executionId: string, createdMs: number, proven = true): StageExecution => ({
    ...candidate({ executionId, proven }),
    workspace: "w",
    stageExecutionId: "s",
    status: "succeeded",
    createdMs,
    noChangesBy: null,
  });
  it.each<[string, readonly StageExecution[], string, readonly string[]]>([
    ["the newest counts", [stage("old", 1), stage("new", 2)], "new", ["old"]],
    ["no claim replaces a proven one", [stage("own", 1), stage("claim", 9, false)], "own", ["claim"]],
    ["the newest claim is shown", [stage("old", 1, false), stage("new", 2, false)], "new", ["old"]],
  ])("%s", (_, found, executionId, superseded) => {
    expect(selectNewestStages(found)).toMatchObject([{ executionId, superseded }]);
  });

  const statement = (executionId: string, createdMs: number, proven = true): StageExecution => ({
    ...stage(executionId, createdMs, proven),
    noChangesBy: executionId,
  });
  it.each<[string, readonly StageExecution[], readonly string[], readonly string[]]>([
    [
      "the newest statement that there is nothing to plan counts",
      [statement("a", 1), statement("b", 2)],
      [],
      ["b"],
    ],
    ["an older execution counts, and no statement", [stage("old", 1), statement("new", 2)], ["old"], []],
    [
      "an execution that still runs counts",
      [{ ...stage("runs", 1), status: "pending" }, statement("new", 2)],
      ["runs"],
      [],
    ],
    [
      "a statement that nothing proves is an execution of which nothing is known",
      [statement("claim", 1, false)],
      ["claim"],
      [],
    ],
    [
      "a statement of another workspace counts beside it",
      [stage("own", 1), { ...statement("b", 2), workspace: "v" }],
      ["own"],
      ["b"],
    ],
    ["a statement counts once it is made", [{ ...statement("a", 1), status: "pending" }], [], []],
  ])("%s", (_, listed, selected, stated) => {
    const found = selectStages(listed);
    expect(found.selected.map(({ executionId }) => executionId)).toEqual(selected);
    expect(found.nothingToPlan.map(({ by }) => by)).toEqual(stated);
  });
});
