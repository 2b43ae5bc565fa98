import { afterEach, expect, it, vi } from "vitest";
import { tryPolicyEdit } from "../../src/evaluate/make-decision.ts";
import type { JobDeps } from "../../src/evaluate/run/deps.ts";
import { buildReport } from "../../src/report/build.ts";
import { performHere } from "../policy/perform-here.ts";
import { CONTEXT, policy } from "../policy/policies.ts";
import { facts } from "../report/facts.ts";
import { usualEngine } from "../world/engines.ts";

const found = (text: string) => ({
  state: "found",
  blob: text,
  text,
  source: { repository: "acme/infra", path: ".github/tollgate.yml" },
});
const report = buildReport(facts(), { stages: [] });

afterEach(() => vi.restoreAllMocks());

/** What is told of an edit; `after`: tasks that end before the waiting does. */
async function tells(after: number, visibility: "private" | "public" = "private") {
  const store = await usualEngine().open();
  const waiting = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(waiting.signal);
  let tasks = 0;
  const proposed: JobDeps["policies"]["proposed"] = (task) => {
    tasks += 1;
    if (tasks <= after) return performHere(task);
    waiting.abort();
    return new Promise(() => {});
  };
  const deps = {
    db: store.db,
    policies: { proposed },
    operator: { publicFigures: false },
  } as unknown as JobDeps; // all that is used
  const head = {
    repository: { id: 1, visibility },
    policy: {
      repository: found("version: 1\nrules: [{ id: a, limit: { drift: 0 } }]"),
      head: found("version: 1\n"),
      organisation: { state: "absent" },
    },
  };
  const base = { state: "found", policy: policy("rules: [{ id: a, limit: { drift: 0 } }]") };
  type Input = Parameters<typeof tryPolicyEdit>;
  const current = { deps, key: { repositoryId: 1, number: 7 }, head } as unknown as Input[0]; // all that is used
  const basis = { policy: base, report, context: CONTEXT } as unknown as Input[1]; // all that is used
  try {
    return await tryPolicyEdit(current, basis);
  } finally {
    await store.close();
  }
}

it("a verdict does not wait for an edit of the policy that takes too long to read", async () => {
  expect(await tells(0)).toMatchObject({ outcome: { kind: "not_evaluated" }, removedRules: [], past: null });
});

it("an edit of the policy that takes too long to evaluate is shown with its changes", async () => {
  expect(await tells(1)).toMatchObject({
    outcome: { kind: "not_evaluated" },
    removedRules: ["a"],
    past: null,
  });
});

it("what an edit would decide is not even found out where readers may not see figures", async () => {
  expect(await tells(9)).toMatchObject({ outcome: { kind: "evaluated" } });
  expect(await tells(9, "public")).toMatchObject({ outcome: { kind: "redacted" }, past: null });
});
