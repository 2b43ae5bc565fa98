import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { enterLane } from "../../src/store/database/lanes.ts";
import { saveEvaluation } from "../../src/store/evaluations.ts";
import { saveRepository } from "../../src/store/repositories.ts";
import { openDatabase } from "../../src/wiring/database/schema.ts";
import { policy } from "../policy/policies.ts";
import { evaluatedSituation, evaluation, report, stage } from "../render/evaluation-builder.ts";
import { usualDatabaseUrl } from "../world/engines.ts";
import { createFolder } from "./folder.ts";
import { typed } from "./run-command.ts";

const folder = createFolder();
afterEach(() => void vi.unstubAllEnvs());

/** A database in which 20 pull requests of acme/payments raise the cost by 0, 10, … 190 USD, and one in which 3 of acme/shop do. */
async function evaluatePulls(): Promise<void> {
  const directory = join(folder.path, "data");
  const url = await usualDatabaseUrl();
  const location =
    url === null ? ({ kind: "directory", directory } as const) : ({ kind: "postgres", url } as const);
  const store = await openDatabase(location, () => {});
  const now = new Date();
  for (const [repositoryId, name, pulls] of [
    [8, "payments", 20],
    [9, "shop", 3],
  ] as const) {
    const label = { owner_login: "acme", name, owner_id: 1, installation_id: 1 };
    await saveRepository(store.db, { ...label, repository_id: repositoryId, figures: true }, now);
    for (let number = 1; number <= pulls; number += 1) {
      const fence = await enterLane(store.db, `pull:${repositoryId}:${number}`, now);
      const made = evaluation({
        pull: { repositoryId, number, repository: `acme/${name}` },
        report: report([stage("prod", ["1000", String(990 + 10 * number)])]),
        situation: evaluatedSituation("pass", []),
      });
      await saveEvaluation(store.db, { evaluation: made, digest: "d", policyBlobs: "" }, { fence, now });
    }
  }
  await store.close();
  vi.stubEnv("TOLLGATE_DATA", directory);
  vi.stubEnv("DATABASE_URL", url ?? "");
}

test("policy suggest prints limits of the stored history as rules that a policy file takes", async () => {
  await evaluatePulls();
  const suggest = (...more: readonly string[]) => typed(["policy", "suggest", ...more]);
  const { code, results, messages } = await suggest("--repository", "acme/payments");
  expect({ code, messages }).toEqual({ code: 0, messages: [] });
  expect(results).toContain(
    "  # would have held 1 of 20 pull requests and 10 % of the rise\n  - { id: increase, limit: { increase: 180 USD } }",
  );
  const [first] = policy(results.replaceAll(/id: (\w+)/g, (found, _, at) => `${found}-${at}`)).rules;
  expect(first?.limit).toEqual({ kind: "increase", amount: { amount: "180", currency: "USD" } });
  const json = await suggest("--repository", "8", "--days", "30", "--json");
  expect(JSON.parse(json.results)).toMatchObject({
    pulls: 20,
    hidden: 0,
    choices: [{ held: 1, share: "10" }, {}, {}, {}, {}, {}],
  });
  expect((await suggest("--repository", "acme/shop")).results).toBe(
    "3 evaluated pull requests say nothing about limits: 20 are needed.",
  );
  expect(await suggest()).toMatchObject({
    code: 2,
    messages: [expect.stringContaining("not exactly one"), expect.anything()],
  });
  expect(await suggest("--days", "0")).toMatchObject({ code: 2 });
});
