import { expect, test } from "vitest";
import { generateSnapshotPages } from "../../src/plan-files/plan/pages.ts";
import { plan, readPlanOf, resourceChange } from "./plan-builder.ts";

test("pages contain every row once per category, and once more per change type where the platform asks for it", async () => {
  const text = "é".repeat(2_000);
  const actions = [["create"], ["delete"], ["delete", "create"], ["no-op"]];
  const changes = Array.from({ length: 2_400 }, (_, index) =>
    resourceChange({
      address: `cloud_disk.data[${index}]`,
      actions: actions[index % 4] ?? [],
      after: { text },
    }),
  );
  const read = await readPlanOf(plan({ resource_changes: changes, resource_drift: changes.slice(0, 3) }));
  const pages = new Map<string, unknown[][]>();
  for (const { category, change = "", page, body } of generateSnapshotPages(read)) {
    const key = `${category}/${change}`;
    pages.set(key, [
      ...(pages.get(key) ?? []),
      JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)),
    ]);
    expect(page).toBe(pages.get(key)?.length);
    expect(body.length).toBeLessThan(1_100_000);
  }
  const sizes = [...pages].map(([key, all]) => [key, all.flat().length]);
  expect(Object.fromEntries(sizes)).toEqual({
    "planned_changes/": 3_000,
    "planned_changes/deleted": 1_200,
    "planned_changes/added": 1_200,
    "planned_changes/unchanged": 600,
    "unchanged/": 600,
    "drift_changes/": 3,
    "drift_changes/deleted": 1,
    "drift_changes/added": 1,
    "drift_changes/changed": 1,
  });
  expect(pages.get("planned_changes/")?.length).toBeGreaterThan(2);
  const addresses = pages
    .get("planned_changes/")
    ?.flat()
    .map((element) => Reflect.get(Object(element), "resource_address"));
  expect(addresses).toEqual(read.rows.planned_changes.map(({ address }) => address));
});
