import { expect, inject, it } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { freshPostgres } from "../world/engines.ts";

const server = inject("postgresUrl");

it.runIf(server)("six replicas that start at once bring one database up to date together", async () => {
  const url = await freshPostgres(server ?? "");
  const open = () => openStore({ kind: "postgres", url, maxConnections: 2 }, () => {});
  const stores = await Promise.all(Array.from({ length: 6 }, open));
  for (const store of stores) {
    const heads = await store.db.selectFrom("decision_head").selectAll().execute();
    expect(heads).toHaveLength(1);
    await store.close();
  }
});
