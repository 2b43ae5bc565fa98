import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAttributes, saveDetails } from "../../src/evaluate/facts/attribute-values.ts";
import { readChanges } from "../../src/evaluate/facts/read-changes.ts";
import type { JobDeps } from "../../src/evaluate/run/deps.ts";
import type { PlatformClient } from "../../src/platform/client.ts";
import type { LooseInput } from "../../src/platform/contract/endpoint.ts";
import { createFailure } from "../../src/platform/errors.ts";
import type { ResourceChange, StageFacts } from "../../src/report/model/facts.ts";
import { DAY_MS, openPlatform, type PlatformWorld, START_MS } from "../platform-server/platform-world.ts";
import { change } from "../platform-server/stories.ts";
import { counts, known } from "../report/facts.ts";
import { usualEngine } from "../world/engines.ts";
import { clientOf, failing, REF, touching, uploadsStage } from "./context-world.ts";

let world: PlatformWorld;
let platform: PlatformClient;

async function opens(rows: Parameters<typeof uploadsStage>[1]): Promise<void> {
  world = await openPlatform(usualEngine());
  platform = clientOf(world);
  await uploadsStage(world, rows);
}

async function closes(): Promise<void> {
  await platform.close();
  await world.close();
}

const withoutPageSize = ({ call, close }: PlatformClient): PlatformClient => ({
  call: async (endpoint, input) =>
    Object.hasOwn((input as LooseInput).query ?? {}, "page_size")
      ? { ok: false, failure: createFailure("rejected", "no such parameter") }
      : call(endpoint, input),
  close,
});

const many = (kind: string, count: number, name = kind) =>
  Array.from({ length: count }, (_, index) => change(kind, `${name}-${String(index).padStart(4, "0")}`));

const byKind = (rows: readonly ResourceChange[]) =>
  Object.fromEntries([...Map.groupBy(rows, (row) => row.change)].map(([kind, own]) => [kind, own.length]));

describe("rows of a stage with more rows than a page", () => {
  beforeAll(() =>
    opens({
      planned: [...many("deleted", 30), ...many("added", 150), ...many("changed", 250)],
      drift: many("changed", 130, "drift"),
    }),
  );
  afterAll(closes);

  it.each([
    ["", () => platform],
    [", on a platform that refuses to be told the page size", () => withoutPageSize(platform)],
  ])("are all read, including created and changed ones%s", async (_, getPlatform) => {
    const { rows } = await readChanges(getPlatform(), REF);
    if (rows.state !== "known") throw new Error("the rows are not known");
    expect(byKind(rows.value.rows)).toEqual({ deleted: 30, added: 150, changed: 250, drifted: 130 });
    expect(rows.value).toMatchObject({ omitted: 0, unread: 0 });
  });
});

describe("rows of a stage with too many rows", () => {
  beforeAll(() =>
    opens({ planned: [...many("deleted", 1), ...many("added", 900), ...many("changed", 1_400)] }),
  );
  afterAll(closes);

  it("are read up to 2,000; the rest is counted", async () => {
    const { rows, counts: told } = await readChanges(platform, REF);
    if (rows.state !== "known") throw new Error("the rows are not known");
    expect(byKind(rows.value.rows)).toEqual({ deleted: 1, added: 900, changed: 1_099 });
    expect(rows.value).toMatchObject({ omitted: 0, unread: 301 });
    expect(told).toMatchObject({ value: { deleted: 1, added: 900, changed: 1_400, replaced: 0 } });
  });
});

describe("resources that move to another address", () => {
  const moved = (name: string, from: string) => change("unchanged", name, { previous_address: from });
  beforeAll(() =>
    opens({
      planned: [
        ...many("unchanged", 120),
        moved("zulu", "aws_instance.old"),
        change("changed", "web", {
          previous_address: "module.old.aws_instance.web",
          action_reason: "replace_because_tainted",
        }),
      ],
      drift: [],
    }),
  );
  afterAll(closes);

  it("are shown with the previous address and why they change, and found among the unchanged rows", async () => {
    const { rows, counts: told } = await readChanges(platform, REF);
    if (rows.state !== "known") throw new Error("the rows are not known");
    expect(rows.value.rows).toMatchObject([
      {
        ...{ change: "changed", address: "aws_instance.web" },
        ...{ previousAddress: "module.old.aws_instance.web", reason: "replace_because_tainted" },
      },
      { change: "moved", address: "aws_instance.zulu", previousAddress: "aws_instance.old" },
    ]);
    expect(told).toMatchObject({ value: { changed: 1, unchanged: 121 } });
  });
});

describe("attributes that change", () => {
  const SECRET = "hunter2";
  const hidden = { change: "changed", drift: false, old: SECRET, new: SECRET, sensitive: true };
  const size = { change: "changed", drift: false, old: "t3.medium", new: "t3.large", sensitive: false };
  beforeAll(() =>
    opens({
      planned: [
        change("deleted", "again"),
        change("added", "again"),
        change("added", "new"),
        change("changed", "web", {
          changes: { size, user_data: hidden, password: { ...hidden, sensitive: false } },
        }),
      ],
      drift: [change("changed", "web", { changes: { ami: hidden } })],
    }),
  );
  afterAll(closes);

  const stages = async (): Promise<readonly StageFacts[]> => [
    touching([], { counts: known(counts()), rows: (await readChanges(platform, REF)).rows }),
  ];
  const told = (read: readonly StageFacts[]) => {
    const [stage] = read;
    if (stage?.rows.state !== "known") throw new Error("the rows are not known");
    return Object.fromEntries(
      stage.rows.value.rows.map(({ address, change: kind, changedAttributes: names, attributesBecause }) => [
        `${kind} ${address}`,
        names ?? attributesBecause ?? null,
      ]),
    );
  };

  let account = 0;
  /** Reads the attributes of these stages, as one of whose nothing is stored yet, or as before. */
  const read = async (from: PlatformClient, of: readonly StageFacts[], isNew = true) => {
    if (isNew) account++;
    const operator = { account: `account-${account}` } as JobDeps["operator"]; // nothing else is looked at
    const deps = { db: world.store.db, clock: world.clock, operator };
    const known = await readAttributes(deps, from, of);
    for (const stage of known) await saveDetails(deps, stage);
    return known;
  };

  it("are shown where they are informative, without sensitive values", async () => {
    const shown = await read(platform, await stages());
    expect(told(shown)).toEqual({
      "replaced aws_instance.again": ["ami"],
      "added aws_instance.new": null,
      "changed aws_instance.web": ["size", "user_data", "password"],
      "drifted aws_instance.web": ["ami"],
    });
    const [stage] = shown;
    if (stage?.rows.state !== "known") throw new Error("the rows are not known");
    expect(stage.rows.value.rows.find(({ change: kind }) => kind === "changed")?.attributeChanges).toEqual([
      {
        name: "size",
        before: { kind: "text", text: "t3.medium" },
        after: { kind: "text", text: "t3.large" },
      },
      { name: "user_data", before: { kind: "sensitive" }, after: { kind: "sensitive" } },
      { name: "password", before: { kind: "sensitive" }, after: { kind: "sensitive" } },
    ]);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
  });

  it("are unknown with a reason: past retention, which is final, or the platform's error", async () => {
    const before = await stages();
    world.clock.ms = START_MS + 31 * DAY_MS;
    expect(told(await read(platform, before))).toMatchObject({
      "changed aws_instance.web": "past_retention",
      "drifted aws_instance.web": "past_retention",
    });
    expect(told(await read(failing("forbidden"), before))).toMatchObject({
      "changed aws_instance.web": "forbidden",
    });
    world.clock.ms = START_MS;
  });

  it("are read once if final; an error is not stored", async () => {
    const before = await stages();
    expect(told(await read(failing("timed_out"), before))).toMatchObject({
      "changed aws_instance.web": "timed_out",
    });
    const found = await read(platform, before, false);
    expect(told(found)).toMatchObject({ "changed aws_instance.web": ["size", "user_data", "password"] });
    const asking = failing("unavailable");
    expect(await read(asking, before, false)).toEqual(found);
    expect(asking.asked).toEqual([]);
  });

  it("are read for the twenty most important rows only", async () => {
    const asking = failing("unavailable");
    const rows = Array.from({ length: 50 }, (_, ordinal) => ({
      address: `aws_instance.x${ordinal}`,
      type: "aws_instance",
      module: "root",
      change: ordinal === 49 ? ("replaced" as const) : ("changed" as const),
      ordinal,
    }));
    const shown = await read(asking, [touching([], { rows: known({ rows, omitted: 0, unread: 0 }) })]);
    expect(asking.asked).toHaveLength(20);
    expect(told(shown)["replaced aws_instance.x49"]).toBe("unavailable");
    expect(told(shown)["changed aws_instance.x48"]).toBeNull();
  });
});

describe("outputs that change", () => {
  const CANARY = "kestrel-94c1-sings";
  const output = (name: string, rest: object = {}) => ({ name, change: "added", value: "v", ...rest });
  beforeAll(() =>
    opens({
      outputs: [
        output("token", { value: CANARY }),
        output("marked", { value: CANARY, sensitive: true }),
        output("url", { change: "changed", value: `https://u:${CANARY}@host/` }),
        ...Array.from({ length: 120 }, (_, at) => output(`same-${at}`, { change: "unchanged" })),
        output("gone", { change: "deleted", value: null }),
      ],
    }),
  );
  afterAll(closes);

  const sensitive = { kind: "sensitive" };
  const listed = [
    { name: "gone", change: "deleted", value: { kind: "none" } },
    { name: "url", change: "changed", value: sensitive },
    { name: "marked", change: "added", value: sensitive },
    { name: "token", change: "added", value: sensitive },
  ];

  it("are read beside the attributes, once; what fails is read later", async () => {
    const stage = touching([], await readChanges(platform, REF));
    const operator = { account: "of-outputs" } as JobDeps["operator"]; // nothing else is looked at
    const deps = { db: world.store.db, clock: world.clock, operator };
    expect(stage.outputRows).toBe(124);
    const asking = failing("unavailable");
    expect((await readAttributes(deps, asking, [stage]))[0]?.outputs).toBeUndefined();
    expect(asking.asked).toEqual(["resource-change-rows"]);
    const read = await readAttributes(deps, platform, [stage]);
    expect(read[0]?.outputs).toEqual({ listed, isWhole: true });
    for (const one of read) await saveDetails(deps, one);
    expect(await readAttributes(deps, asking, [stage])).toEqual(read);
    expect(asking.asked).toHaveLength(1);
  });

  it("are not read of a stage that has none, nor of one whose execution is not proven", async () => {
    const stage = touching([], await readChanges(platform, REF));
    const { outputRows: _, ...without } = stage;
    const asking = failing("unavailable");
    const operator = { account: "of-no-outputs" } as JobDeps["operator"]; // nothing else is looked at
    const deps = { db: world.store.db, clock: world.clock, operator };
    await readAttributes(deps, asking, [without, { ...stage, proven: false }]);
    expect(asking.asked).toEqual([]);
  });
});
