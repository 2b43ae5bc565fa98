import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ExecutionCandidate, NO_TRACE, type Trace } from "../../src/evaluate/facts/executions/claims.ts";
import { readExecutions } from "../../src/evaluate/facts/executions/executions.ts";
import { findNewestExecution } from "../../src/evaluate/facts/executions/newest-execution.ts";
import type { PlatformClient } from "../../src/platform/client.ts";
import type { Endpoint, LooseInput } from "../../src/platform/contract/endpoint.ts";
import { createFailure, type Failure } from "../../src/platform/errors.ts";
import { casesToTry } from "../world/depth.ts";

interface Recorded {
  readonly pipeline_execution_id: string;
  readonly pipeline_stage_id: string;
  readonly pipeline: string;
  readonly workspace: string;
  readonly status: string;
  readonly created: number;
}

const NOW = Date.UTC(2026, 0, 10);
const HOUR = 3_600_000;
const recorded = (execution: string, own: Partial<Recorded> = {}): Recorded => ({
  pipeline_execution_id: execution,
  pipeline_stage_id: `${execution}-s`,
  pipeline: "infra",
  workspace: "prod",
  status: "success",
  created: NOW,
  ...own,
});
const others = (count: number, pipeline = "app"): Recorded[] =>
  Array.from({ length: count }, (_, index) =>
    recorded(`other${index}`, { pipeline, created: NOW - index * HOUR, workspace: `w${index}` }),
  );

interface Behaviour {
  readonly list: readonly Recorded[];
  /** Filters that it knows, with what each compares. */
  readonly knows?: Readonly<Record<string, (one: Recorded, wanted: unknown) => boolean>>;
  /** What it says to a filter that it does not know; null: nothing. */
  readonly refuses?: Failure["kind"] | null;
  readonly perPage?: number;
  readonly totals?: boolean;
  /** Stage runs that costs are stated of: id and workspace. */
  readonly costs?: Readonly<Record<string, string>>;
  /** Records that are handed out one by one; those of the list when left out. */
  readonly records?: readonly Recorded[];
}

const ID = (one: Recorded, wanted: unknown) => one.pipeline_execution_id === wanted;
const BY_ID = { pipeline_execution_id: ID };
/** What the live service's description of the filter says. */
const BY_PIPELINE = { pipeline_execution_id: (one: Recorded, wanted: unknown) => one.pipeline === wanted };
const BY_TIME = {
  start_time: (one: Recorded, wanted: unknown) => one.created >= Number(wanted),
  end_time: (one: Recorded, wanted: unknown) => one.created <= Number(wanted),
};

/** A platform that behaves so, and which queries of its list it was sent. */
function platform(behaviour: Behaviour) {
  const { list, knows = {}, refuses = null, perPage = 100, totals = true, costs = {} } = behaviour;
  const queries: Record<string, unknown>[] = [];
  const fails = (kind: Failure["kind"]) => ({
    ok: false,
    failure: createFailure(kind, "no", { status: 400 }),
  });
  const listed = (query: Record<string, unknown>) => {
    queries.push(query);
    const { limit, page, ...filters } = query;
    if (Number(limit) > 100) return fails("rejected");
    const unknown = Object.keys(filters).filter((name) => !Object.hasOwn(knows, name));
    if (refuses !== null && unknown.length > 0) return fails(refuses);
    const fitting = list.filter((one) =>
      Object.entries(filters).every(([name, wanted]) => knows[name]?.(one, wanted) ?? true),
    );
    const size = Math.min(perPage, Number(limit));
    const value = fitting.slice((Number(page) - 1) * size, Number(page) * size);
    return { ok: true, value, headers: totals ? { "x-total-elements": `${fitting.length}` } : {} };
  };
  const call = async ({ operation }: Endpoint, { params = {}, query = {} }: LooseInput) => {
    if (operation === "list") return listed(query);
    const { pipeline_execution_id: execution, pipeline_stage_id: stage } = params;
    if (operation === "get") {
      const found = (behaviour.records ?? list).find(
        (one) => one.pipeline_execution_id === execution && one.pipeline_stage_id === stage,
      );
      return found === undefined ? fails("not_found") : { ok: true, value: found, headers: {} };
    }
    const value = Object.entries(costs).map(([stage_execution_id, workspace_id]) => {
      return { stage_execution_id, workspace_id };
    });
    return { ok: true, value, headers: {} };
  };
  return { queries, client: { call } as unknown as PlatformClient }; // it answers what a platform does
}

const candidate = (trace: Partial<Trace> = {}): ExecutionCandidate => ({
  org: "o",
  project: "p",
  executionId: "wanted",
  source: "status",
  proven: true,
  trace: { ...NO_TRACE, pipeline: "infra", postedMs: [NOW, NOW], ...trace },
});

async function reads(behaviour: Behaviour, trace: Partial<Trace> = {}, embedded = false) {
  const { client, queries } = platform(behaviour);
  const operator = { embedded, otherPipelines: [] } as unknown as Parameters<
    typeof readExecutions
  >[0]["operator"]; // what a read looks at
  const [read] = await readExecutions({ platform: client, operator }, [candidate(trace)]);
  const stages =
    read?.state === "read"
      ? read.stages.map(({ stageExecutionId, status }) => `${stageExecutionId} ${status}`).sort()
      : read?.state === "unread"
        ? read.failure.kind
        : read?.state;
  return { stages, queries };
}

const WANTED = recorded("wanted");

describe("an execution is found in the platform's list", () => {
  it.each<[string, Behaviour, number]>([
    ["that filters by its id: one read", { list: [...others(500), WANTED], knows: BY_ID }, 1],
    [
      "that filters by its id and states no totals: one read",
      { list: [...others(500), WANTED], knows: BY_ID, totals: false },
      1,
    ],
    [
      "whose filter of that name means the pipeline",
      { list: [...others(2_000), WANTED], knows: BY_PIPELINE },
      3,
    ],
    ["that filters by time only", { list: [...others(2_000).slice(100), WANTED], knows: BY_TIME }, 4],
    ["that ignores every filter", { list: [...others(250), WANTED] }, 7],
    ["that refuses every filter", { list: [...others(250), WANTED], refuses: "rejected" }, 7],
    ["that lists the oldest first", { list: [...others(250).reverse(), WANTED] }, 7],
    ["that gives 25 per page", { list: [...others(99), WANTED], perPage: 25 }, 9],
    [
      "that gives 25 per page without totals",
      { list: [...others(99), WANTED], perPage: 25, totals: false },
      10,
    ],
  ])("%s", async (_, behaviour, calls) => {
    const { stages, queries } = await reads(behaviour);
    expect(stages).toEqual(["wanted-s succeeded"]);
    expect(queries).toHaveLength(calls);
    for (const { limit } of queries) expect(limit).toBe(100);
  });

  it("with every stage that lies beside the first", async () => {
    const second = recorded("wanted", { pipeline_stage_id: "second", status: "none" });
    const list = [...others(99), WANTED, second, ...others(400)];
    expect((await reads({ list })).stages).toEqual(["second pending", "wanted-s succeeded"]);
  });

  it("with the stages that a status names and those that have a cost, wherever they are listed", async () => {
    const far = recorded("wanted", { pipeline_stage_id: "far", status: "failure" });
    const named = recorded("wanted", { pipeline_stage_id: "named", status: "none" });
    const list = [WANTED, ...others(1_500), far, named];
    const costs = { "wanted-s": "prod", far: "prod", gone: "staging" };
    const { stages } = await reads({ list, costs }, { stageExecutionIds: ["named", "of-a-build"] });
    expect(stages).toEqual(["far failed", "gone unknown", "named pending", "wanted-s succeeded"]);
  });

  it("by the stage that a status names, where the list does not reach it", async () => {
    const { stages } = await reads(
      { list: others(5_000), records: [WANTED] },
      { stageExecutionIds: ["wanted-s"] },
    );
    expect(stages).toEqual(["wanted-s succeeded"]);
  });
});

describe("an execution that is not in the list is absent after a bounded number of reads", () => {
  it.each<[string, Behaviour, number]>([
    ["on a platform that filters by id", { list: others(50), knows: BY_ID }, 5],
    ["on one that ignores every filter", { list: others(5_000) }, 14],
    ["on one that refuses every filter", { list: others(5_000), refuses: "rejected" }, 14],
    ["on one that has none", { list: [] }, 5],
  ])("%s", async (_, behaviour, most) => {
    const { stages, queries } = await reads(behaviour);
    expect(stages).toBe("absent");
    expect(queries.length).toBeLessThanOrEqual(most);
  });

  it("after one read on the embedded platform, whose filter is known", async () => {
    const { stages, queries } = await reads({ list: others(50), knows: BY_ID }, {}, true);
    expect([stages, queries.length]).toEqual(["absent", 1]);
  });

  it.each(["unavailable", "forbidden", "timed_out"] as const)(
    "and unread when a read is %s",
    async (kind) => {
      expect((await reads({ list: [WANTED], refuses: kind })).stages).toBe(kind);
    },
  );
});

it("an execution among the first ten pages is found in any place, with any page size and any filters", async () => {
  const filters = [{}, BY_ID, BY_PIPELINE, BY_TIME];
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        before: fc.integer({ min: 0, max: 240 }),
        after: fc.integer({ min: 0, max: 240 }),
        perPage: fc.integer({ min: 25, max: 100 }),
        totals: fc.boolean(),
        knows: fc.constantFrom(...filters),
        refuses: fc.constantFrom("rejected" as const, null),
      }),
      async ({ before, after, ...behaviour }) => {
        const list = [...others(before), WANTED, ...others(after)];
        const { stages } = await reads({ list, ...behaviour }, { postedMs: null });
        expect(stages).toEqual(["wanted-s succeeded"]);
      },
    ),
    { seed: 41, numRuns: casesToTry({ usual: 60, deep: 200 }) },
  );
});

describe("the newest execution of a workspace", () => {
  const WORKSPACE = { workspace: (one: Recorded, wanted: unknown) => one.workspace === wanted };
  const runs = [1, 3, 2].map((age) => recorded(`age${age}`, { created: NOW - age * HOUR }));
  const newestFirst = [...runs].sort((a, b) => b.created - a.created);
  const many = Array.from({ length: 300 }, (_, index) => recorded(`old${index}`, { created: index }));
  const place = { org: "o", project: "p", workspace: "prod" };
  it.each<[string, Behaviour, string | null]>([
    ["filtered, newest first", { list: newestFirst, knows: WORKSPACE }, "age1"],
    ["filtered, in no order", { list: runs, knows: WORKSPACE }, "age1"],
    ["filtered, oldest first, on several pages", { list: [...many, ...runs], knows: WORKSPACE }, "age1"],
    ["not filtered", { list: [...others(150), ...newestFirst] }, "age1"],
    ["refused", { list: [...others(150), ...newestFirst], refuses: "rejected" }, "age1"],
    ["none", { list: others(20), knows: WORKSPACE }, null],
  ])("%s", async (_, behaviour, expected) => {
    const found = await findNewestExecution(platform(behaviour).client, place);
    expect(found?.pipeline_execution_id ?? null).toBe(expected);
  });
});
