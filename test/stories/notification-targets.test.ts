import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { evaluatePull } from "../world/conversation.ts";
import { CHEAP, EXPENSIVE } from "../world/costs.ts";
import { eventually } from "../world/eventually.ts";
import { type Receiver, startReceiver } from "../world/receiver.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = `version: 1
rules:
  - { id: monthly-increase, limit: { increase: 100 USD } }
`;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close(); // receivers first: nothing waits for their answers
});
async function receiver(): Promise<Receiver> {
  const started = await startReceiver();
  open.push(started);
  return started;
}
async function world(
  targets: readonly object[],
  visibility: "public" | "private" = "private",
): Promise<World> {
  const created = await createWorld({
    policy: POLICY,
    visibility,
    operator: () => ({ notifications: { targets } }),
  });
  open.push({ close: () => created.ends() });
  return created;
}

describe("a target", () => {
  it("that never answers delays no gate and no comment: both are there while its message is on its way", async () => {
    const slow = await receiver();
    slow.answers("hang");
    const { url } = slow;
    const here = await world([{ name: "slow", kind: "slack", url, on: ["blocked"], per_minute: 600 }]);
    const first = await evaluatePull(here, { cost: EXPENSIVE });
    await eventually(() => expect(slow.requests).toHaveLength(1));
    // The first message still hangs: the next pull requests get gate and comment all the same.
    const second = await evaluatePull(here, { cost: EXPENSIVE });
    expect([first.gate(), second.gate()]).toEqual(["failure", "failure"]);
    expect(second.report()).toContain("monthly-increase");
    expect(slow.requests).toHaveLength(1);
  });

  it("of which nothing can be stored changes no gate", async () => {
    const target = await receiver();
    const here = await world([{ name: "a", kind: "slack", url: target.url, on: ["blocked"] }]);
    const { db } = here.bot.session.store;
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`.execute(
      db,
    );
    await sql`create trigger refused before insert or delete on notified_changes execute function refuse()`.execute(
      db,
    );
    const [blocked, passed] = [
      await evaluatePull(here, { cost: EXPENSIVE }),
      await evaluatePull(here, { cost: CHEAP }),
    ];
    expect([blocked.gate(), passed.gate()]).toEqual(["failure", "success"]);
    expect(here.checkOf(blocked.pull).output.title).not.toContain("error");
    await sql`drop trigger refused on notified_changes`.execute(db);
    here.github.addLabel(blocked.pull, { label: "again" });
    await here.settles();
    await eventually(() => expect(target.requests).toHaveLength(1));
  });

  it("is told verdict and rules of a public repository, and no amount", async () => {
    const target = await receiver();
    const here = await world(
      [
        { name: "a", kind: "slack", url: target.url, on: ["blocked"], above: "100000 USD" },
        { name: "b", kind: "webhook", url: target.url, on: ["blocked", "budget"], secret: "s".repeat(24) },
      ],
      "public",
    );
    await evaluatePull(here, { cost: EXPENSIVE });
    await eventually(() => expect(target.requests).toHaveLength(2));
    expect(target.texts()).toContain("monthly-increase");
    expect(target.texts()).not.toMatch(/\$|\b5[01]0\b|USD/);
  });

  it("is told of Tollgate's own trouble: that another target cannot be told", async () => {
    const [gone, operators] = [await receiver(), await receiver()];
    gone.answers({ status: 404 });
    const here = await world([
      { name: "gone", kind: "slack", url: gone.url, on: ["blocked"] },
      { name: "operators", kind: "slack", url: operators.url, on: ["trouble"], digest: "daily" },
    ]);
    await evaluatePull(here, { cost: EXPENSIVE });
    await eventually(() => expect(operators.requests).toHaveLength(1));
    expect(operators.texts()).toContain("Tollgate cannot reach the target gone");
    expect(operators.texts()).toContain("it answered with the status 404");
  });

  it("gets after a restart what was stored before, once", async () => {
    const target = await receiver();
    target.answers({ status: 503 });
    const here = await world([{ name: "a", kind: "slack", url: target.url, on: ["blocked"] }]);
    await evaluatePull(here, { cost: EXPENSIVE });
    await eventually(() => expect(target.requests).toHaveLength(1));
    target.answers({ status: 200 });
    await here.restarts();
    await here.timePasses(61_000);
    await eventually(() => expect(target.requests).toHaveLength(2));
    await here.timePasses(61_000);
    await here.settles();
    expect(target.requests).toHaveLength(2);
  });
});
