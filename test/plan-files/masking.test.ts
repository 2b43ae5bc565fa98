import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SENSITIVE } from "../../src/kernel/redact-credentials.ts";
import { maskStage } from "../../src/plan-files/estimate/project-stage.ts";
import { mapSensitive, Secrets } from "../../src/plan-files/plan/secrets.ts";
import { casesToTry } from "../world/depth.ts";
import { readEstimateOf } from "./estimate-builder.ts";
import { everythingIn, plan, planOf, readPlanOf, resourceChange, textOf } from "./plan-builder.ts";

const SECRET = "tr0ub4dor&3";

/** A secret long enough to be looked for everywhere, and unlike anything that a plan or the mask says by itself. */
const secret = fc
  .string({ unit: fc.constantFrom(...'QXZ0"\\\n&é€{ '), minLength: 8, maxLength: 30 })
  .filter((text) => text.trim().length >= 8);

/** The ways in which a text may be spelled inside a JSON text, once or twice encoded. */
const spellings = (text: string): string[] => {
  const once = JSON.stringify(text).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [text, once, twice, JSON.stringify(twice).slice(1, -1)];
};

function expectNoTrace(everything: string, of: string): void {
  for (const spelling of spellings(of)) expect(everything.includes(spelling)).toBe(false);
}

describe("no sensitive value survives", () => {
  const around = fc.tuple(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }));

  test("wherever it is marked, and wherever it turns up unmarked", async () => {
    await fc.assert(
      fc.asyncProperty(secret, around, async (value, [before, after]) => {
        const everywhere = {
          alone: value,
          inside: before + value + after,
          nested: [{ deep: { [value]: value } }],
          policy: JSON.stringify({ password: value }),
          encoded: Buffer.from(value).toString("base64"),
        };
        const address = `cloud_disk.data[${JSON.stringify(value)}]`;
        const open = resourceChange({ address, actions: ["update"], before: {}, after: everywhere });
        const marked = resourceChange({ after: { token: value }, after_sensitive: { token: true } });
        const output = { actions: ["create"], before: null, after: everywhere, after_sensitive: false };
        const state = { address, mode: "managed", type: "t", name: "n", values: { id: value } };
        const read = await readPlanOf(
          plan({
            resource_changes: [open, marked],
            resource_drift: [open],
            output_changes: { shown: output },
            prior_state: { values: { root_module: { resources: [state] } } },
          }),
        );
        const everything = everythingIn(read);
        expectNoTrace(everything, value);
        expect(everything.split(SENSITIVE).length).toBeGreaterThan(10);
        expect(everything).not.toContain(everywhere.encoded);
        expect(read.mask(`x ${value} y`)).toBe(`x ${SENSITIVE} y`);
      }),
      { numRuns: casesToTry({ usual: 20, deep: 200 }) },
    );
  });

  const changes = (...given: readonly Parameters<typeof resourceChange>[0][]) => ({
    resource_changes: given.map(resourceChange),
  });
  const sensitiveVariable = (more: object = {}) => ({
    configuration: { root_module: { variables: { v: { sensitive: true, ...more } } } },
  });
  const change = { actions: ["create"], after: { db_password: SECRET } };
  const data = {
    address: "data.t.n",
    mode: "data",
    values: { id: "x", a: [{ b: SECRET }] },
    sensitive_values: { a: [{ b: true }] },
  };
  const MARKED: readonly (readonly [string, object])[] = [
    ["a sensitive variable", { variables: { v: { value: SECRET } }, ...sensitiveVariable() }],
    ["a sensitive default", sensitiveVariable({ default: [SECRET] })],
    [
      "a sensitive output",
      { output_changes: { o: { actions: ["update"], before: SECRET, after: "x", before_sensitive: true } } },
    ],
    ["one of an old plan", { planned_values: { outputs: { o: { sensitive: true, value: SECRET } } } }],
    [
      "a sensitive output of the state",
      { prior_state: { values: { outputs: { o: { sensitive: true, value: { a: SECRET } } } } } },
    ],
    [
      "a drifted attribute",
      {
        resource_drift: [
          resourceChange({ actions: ["update"], before: { a: SECRET }, before_sensitive: { a: true } }),
        ],
      },
    ],
    [
      "a data source",
      changes({ mode: "data", actions: ["read"], after: { a: SECRET }, after_sensitive: true }),
    ],
    ["the state of a data source", { prior_state: { values: { root_module: { resources: [data] } } } }],
    [
      "a plan without marks, by the name",
      { resource_changes: [{ address: "t.n", type: "t", name: "n", change }] },
    ],
    [
      "marks that do not fit the value",
      changes({ after: { a: SECRET }, after_sensitive: { a: { b: true } } }),
    ],
  ];

  test.each(MARKED)("%s", async (_name, members) => {
    const open = resourceChange({
      address: "cloud_disk.open",
      after: { text: `postgres://u:${SECRET}@host` },
    });
    const own =
      "resource_changes" in members && Array.isArray(members.resource_changes)
        ? members.resource_changes
        : [];
    const read = await readPlanOf(plan({ ...members, resource_changes: [open, ...own] }));
    expect(everythingIn(read)).not.toContain(SECRET);
    expect(everythingIn(read)).toContain(`postgres://u:${SENSITIVE}@host`);
  });
});

test("format 0.1 marks what came from a variable and not what the provider calls a secret: names are believed too", async () => {
  const change = {
    after: {
      admin: { password: SECRET },
      list: [{ api_key: `${SECRET}!` }],
      from_variable: `${SECRET}?`,
      size: 5,
    },
    after_sensitive: { from_variable: true },
  };
  const old = await readPlanOf(plan({ format_version: "0.1", resource_changes: [resourceChange(change)] }));
  expectNoTrace(everythingIn(old), SECRET);
  expect(textOf(old.rows.planned_changes[0])).toContain('"size"');
});

describe("what is masked and what is not", () => {
  test("short values where they are marked and where they stand alone, not inside other words", async () => {
    const after = { pin: "1234", same: "1234", other: "a1234b", number: 1234, flag: true };
    const read = await readPlanOf(planOf({ after, after_sensitive: { pin: true, flag: true } }));
    const { changes, sensitive_attributes } = JSON.parse(textOf(read.rows.planned_changes[0]));
    expect([changes.pin.new, changes.same.new, changes.number.new, changes.other.new]).toEqual([
      SENSITIVE,
      SENSITIVE,
      SENSITIVE,
      "a1234b",
    ]);
    expect([changes.flag.new, changes.pin.sensitive, changes.same.sensitive]).toEqual([
      SENSITIVE,
      true,
      false,
    ]);
    expect(sensitive_attributes).toEqual(["pin", "flag"]);
  });

  test("instance keys are masked, names of the code are not", async () => {
    const address = 'module.production["production"].cloud_disk.production';
    const read = await readPlanOf(
      planOf({ address, after: { a: "production" }, after_sensitive: { a: true } }),
    );
    const [row] = read.rows.planned_changes;
    expect(row?.address).toBe(`module.production[${JSON.stringify(SENSITIVE)}].cloud_disk.production`);
    expect(JSON.parse(textOf(row))).toMatchObject({
      resource_address: row?.address,
      module: "production",
    });
  });

  test.each([
    ["prod-db", "(sensitive value)"],
    ["prod-db", "(sensitive value) 2", "other-db"],
    ["(sensitive value) 2", "prod-db", "other-db"],
    ["prod-db", "other-db", "prod-db 2"],
    ["prod-db", "other-db", "(sensitive value) 2", "prod-db 2"],
  ])(
    "a masked key differs from every key that the code has, and from every other masked one: %s, %s",
    async (...keys) => {
      const secrets = resourceChange({ after: ["prod-db", "other-db"], after_sensitive: true });
      const changes = keys.map((key, at) => {
        const actions = [at === 0 ? "delete" : "create"];
        return resourceChange({ address: `cloud_disk.a[${JSON.stringify(key)}]`, actions });
      });
      const { rows, maskKeys } = await readPlanOf(plan({ resource_changes: [secrets, ...changes] }));
      const addresses = rows.planned_changes.map(({ address }) => address);
      expect(new Set(addresses).size).toBe(keys.length + 1);
      expect(addresses.map(maskKeys)).toEqual(addresses);
      expect(addresses.join()).not.toContain("-db");
    },
  );

  test("a key of several lines is found line by line", () => {
    const secrets = new Secrets();
    secrets.add("-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA7\n-----END KEY-----\n");
    expect(secrets.maskText("cat <<E\n    MIIEpAIBAAKCAQEA7\nE")).toBe(`cat <<E\n    ${SENSITIVE}\nE`);
  });

  test("of two values that begin alike, the longer one is masked whole", () => {
    const secrets = new Secrets();
    secrets.add(["correct horse", "correct horse battery"]);
    expect(secrets.maskText("=correct horse battery=correct horse=")).toBe(`=${SENSITIVE}=${SENSITIVE}=`);
  });

  test("marks and masks agree: what is handed out as sensitive is not in what is left", () => {
    const value = { a: ["open", "hid den"], b: { c: "hid den", d: "open" }, e: "hid den" };
    const marks = { a: [false, true], b: { c: true }, e: true };
    const found: unknown[] = [];
    const masked = mapSensitive({ value, marks, byName: false }, (part) => {
      found.push(part);
      return SENSITIVE;
    });
    expect(found).toEqual(["hid den", "hid den", "hid den"]);
    expect(masked).toEqual({
      a: ["open", SENSITIVE],
      b: { c: SENSITIVE, d: "open" },
      e: SENSITIVE,
    });
    expect(mapSensitive({ value, marks: {}, byName: false }, String)).toEqual(value);
  });
});

describe("a value whose name is told by the member beside it", () => {
  test.each<[string, string, object]>([
    ["a setting of a chart", SECRET, { set: [{ name: "auth.rootPassword", value: SECRET }] }],
    [
      "a variable of a container",
      SECRET,
      { template: [{ containers: [{ env: [{ name: "DB_PASSWORD", value: SECRET }] }] }] },
    ],
    ["a parameter", SECRET, { name: "/prod/db/password", type: "String", value: SECRET }],
    ["an environment", SECRET, { list: [{ env: "DB_PASSWORD", value: SECRET }] }],
    ["an option", SECRET, { settings: [{ option: "db_password", val: SECRET }] }],
    [
      "an option by its name",
      SECRET,
      { option_settings: [{ option_name: "db_password", values: [SECRET] }] },
    ],
    ["a variable", SECRET, { list: [{ variable: "API_TOKEN", string_value: SECRET }] }],
    ["a default", SECRET, { list: [{ key: "api_token", default: SECRET }] }],
    ["a secret by its name", SECRET, { list: [{ secret: "DB_PASSWORD", value: SECRET }] }],
    ["a short one", "pw", { setting: [{ key: "api_key", value: "pw" }] }],
    [
      "one in a JSON text",
      SECRET,
      { container_definitions: JSON.stringify([{ environment: [{ name: "DB_PASSWORD", value: SECRET }] }]) },
    ],
    [
      "one in a JSON text whose value is not called so",
      SECRET,
      { parameters: JSON.stringify([{ parameter_name: "db_password", parameter_value: SECRET }]) },
    ],
  ])("is masked in what is shown, sent and stored: %s", async (_, value, after) => {
    const read = await readPlanOf(planOf({ actions: ["update"], before: {}, after, after_sensitive: {} }));
    expectNoTrace(everythingIn(read), `"${value}"`);
    expect(everythingIn(read)).toContain(SENSITIVE);
  });

  test("is shown where its name tells no secret, and a counter is none", async () => {
    const after = { set: [{ name: "replicas", value: "three" }], password_wo_version: 3 };
    const unmarked = planOf({ actions: ["update"], before: {}, after });
    expect(everythingIn(await readPlanOf(unmarked))).toContain("three");
    expect(everythingIn(await readPlanOf(unmarked))).not.toContain(SENSITIVE);
  });
});

test("a secret key of a plan is masked in an estimate's notices, problems and addresses, however the key is quoted", async () => {
  const marked = resourceChange({ after: { token: SECRET }, after_sensitive: { token: true } });
  const read = await readPlanOf(plan({ resource_changes: [marked] }));
  const names = [`["${SECRET}"]`, `['${SECRET}']`, `[${SECRET}]`].map((key) => `aws_instance.a${key}`);
  const file = {
    version: "0.2",
    totalMonthlyCost: "3",
    projects: [
      {
        name: "a",
        metadata: {
          errors: [`bad ${SECRET}`, "ghp_0123456789abcdefghij"],
          warnings: [{ code: 999, message: `see ${SECRET}` }],
        },
        pastBreakdown: { totalMonthlyCost: "0", resources: [] },
        breakdown: { totalMonthlyCost: "3", resources: names.map((name) => ({ name, monthlyCost: "1" })) },
        diff: { totalMonthlyCost: "3", resources: names.map((name) => ({ name, monthlyCost: "1" })) },
      },
    ],
  };
  const { whole } = await readEstimateOf(file);
  const text = JSON.stringify(maskStage(whole, read).cost);
  expectNoTrace(text, SECRET);
  expect(text).not.toContain("ghp_");
});
