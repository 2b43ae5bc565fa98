import { describe, expect, it } from "vitest";
import { readChanges } from "../../src/evaluate/facts/read-changes.ts";
import type { PlatformClient } from "../../src/platform/client.ts";
import type { Endpoint } from "../../src/platform/contract/endpoint.ts";
import { createFailure, type Failure } from "../../src/platform/errors.ts";
import { change } from "../platform-server/stories.ts";
import { REF } from "./context-world.ts";

interface Said {
  readonly rows?: number;
  readonly drift?: number;
  readonly categories?: object;
  readonly change_types?: object;
  readonly counts?: object | Failure["kind"];
  /** Rows of the whole listing of a stage that is not indexed. */
  readonly listing?: readonly object[];
}

const MARKER = {
  PlannedTotal: 1,
  PlannedByChangeType: { added: 1, changed: 0, deleted: 0, unchanged: 0 },
  Drift: 0,
  Resources: 0,
  DataSources: 0,
  Outputs: 0,
};
const byType = (over: object) => ({ PlannedByChangeType: { ...MARKER.PlannedByChangeType, ...over } });
const NONE = { added: 0, changed: 0, deleted: 0, imported: 0, removed: 0, unchanged: 0 };

/** A platform that lists one created resource and says the given totals of it. */
function platformThatSays(said: Said): PlatformClient {
  const { rows = 1, drift = 0, categories = {}, change_types = {}, counts = {}, listing } = said;
  const page = (elements: readonly object[], totalItems: number) => ({
    page: 1,
    pageSize: 100,
    rows: elements,
    totalItems,
    totalPages: 1,
  });
  const answers: Readonly<Record<string, (input: never) => unknown>> = {
    "resource-change-filter-counts": () => ({
      categories: { drift_changes: 0, outputs: 0, planned_changes: 1, resources: 0, ...categories },
      change_types: { ...NONE, added: 1, ...change_types },
      modules: {},
      providers: {},
      types: {},
    }),
    "resource-change-rows": ({ params }: { params: { category: string } }) =>
      params.category === "planned_changes" ? page([change("added", "web")], rows) : page([], drift),
    "resource-changes": () => ({ planned_changes: listing, drift_changes: [] }),
    "resource-change-counts": () => ({ ...MARKER, ...(counts as object) }),
  };
  const call = async ({ operation }: Endpoint, input: never) => {
    if (operation === "resource-change-counts" && typeof counts === "string")
      return { ok: false, failure: createFailure(counts, "no") };
    if (operation === "resource-change-filter-counts" && listing !== undefined)
      return { ok: false, failure: createFailure("not_found", "not indexed") };
    const answer = answers[operation];
    if (answer === undefined) throw new Error(`nothing is said about ${operation}`);
    return { ok: true, value: answer(input), headers: {} };
  };
  return { call } as unknown as PlatformClient; // nothing else is called
}

const read = (said: Said) => readChanges(platformThatSays(said), REF);

describe("totals of a stage's resource changes", () => {
  it("are known when rows, filter counts and the counts marker agree", async () => {
    expect(await read({})).toMatchObject({
      counts: { state: "known", value: { added: 1, deleted: 0, drifted: 0 } },
      rows: { state: "known" },
    });
  });

  it.each<[string, Said]>([
    ["the marker counts a page that was lost", { counts: { ...byType({ deleted: 3 }), PlannedTotal: 4 } }],
    ["the marker counts more planned rows", { counts: { PlannedTotal: 4 } }],
    ["the marker counts fewer planned rows", { counts: { PlannedTotal: 0, ...byType({ added: 0 }) } }],
    ["the marker counts drift that is not listed", { counts: { Drift: 2 } }],
    ["the filter counts know more planned rows than the list", { categories: { planned_changes: 2 } }],
    ["the filter counts know more drift than the list", { categories: { drift_changes: 2 } }],
    ["the list knows more planned rows than the filter counts", { rows: 2 }],
    ["the list knows more drift than the filter counts", { drift: 1 }],
    ["the change types do not add up to the planned rows", { change_types: { deleted: 3 } }],
  ])("are unknown, and so are the rows, when %s", async (_, said) => {
    const unknown = { state: "unknown", reason: "contradictory" };
    expect(await read(said)).toEqual({ counts: unknown, rows: unknown });
  });

  it("may include unchanged resources that lie in a category of their own", async () => {
    const counts = { PlannedTotal: 23, ...byType({ unchanged: 22 }) };
    expect(await read({ counts })).toMatchObject({ counts: { state: "known" } });
  });

  it.each(["not_found", "rejected", "forbidden", "unauthorised", "malformed", "too_large"] as const)(
    "need no counts marker from a platform that does not show it (%s)",
    async (counts) => {
      expect(await read({ counts })).toMatchObject({ counts: { state: "known" } });
    },
  );

  it.each(["unavailable", "timed_out", "rate_limited"] as const)(
    "are unknown while the counts marker cannot be read (%s)",
    async (counts) => {
      const unknown = { state: "unknown", reason: counts };
      expect(await read({ counts })).toEqual({ counts: unknown, rows: unknown });
    },
  );
});

describe("a stage that is not indexed", () => {
  const PlanNotes = {
    incomplete: { deferred: [{ address: "aws_db_instance.main", change: "deleted" }], more: 0 },
    invocations: { listed: [], more: 0 },
    failedChecks: { listed: [], more: 0 },
  };

  it("has the notes of its plan, so deferred changes do not count as complete", async () => {
    expect(await read({ listing: [change("added", "web")], counts: { PlanNotes } })).toMatchObject({
      counts: { state: "known", value: { added: 1 } },
      planNotes: PlanNotes,
    });
  });

  it("is unknown while the counts marker cannot be read: it may say that the plan is incomplete", async () => {
    const unknown = { state: "unknown", reason: "unavailable" };
    expect(await read({ listing: [], counts: "unavailable" })).toEqual({ counts: unknown, rows: unknown });
  });
});
