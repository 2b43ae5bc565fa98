import { describe, expect, it } from "vitest";
import { engines } from "../world/engines.ts";

describe.each(engines())("a store on $name", ({ open }) => {
  it("has its tables and reads a 64-bit integer as a number", async () => {
    const store = await open();
    const head = await store.db.selectFrom("decision_head").selectAll().executeTakeFirstOrThrow();
    expect(head).toEqual({ id: 1, seq: 0, hash: "0".repeat(64) });
    await store.close();
  });
});
