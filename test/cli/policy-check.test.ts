import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFolder } from "./folder.ts";
import { typed } from "./run-command.ts";

const { file, path: folder } = createFolder();
// A Tollgate that runs beside the tests is not asked.
beforeAll(() => void vi.stubEnv("TOLLGATE_DATA", join(folder, "data")));
afterAll(() => void vi.unstubAllEnvs());

const without = (texts: readonly string[]) => texts.map((text) => text.replaceAll(folder, "."));

describe("policy check", () => {
  test("of a file that is right", async () => {
    const path = file(
      "right.yml",
      "version: 1\nrules: [{ id: r, limit: { drift: 0 } }]\nbudgets: [{ id: b, amount: 5 USD }]\n",
    );
    expect(await typed(["policy", "check", path])).toEqual({
      code: 0,
      results: "No problem: 1 rule, 1 budget.",
      messages: [],
    });
    expect(JSON.parse((await typed(["policy", "check", path, "--json"])).results)).toEqual({
      valid: true,
      problems: [],
      expired: [],
      alike: [],
      contents: "1 rule, 1 budget",
      warnings: [],
      compared: null,
    });
  });

  test("reports every problem, with its place and what was meant", async () => {
    const path = file(
      "wrong.yml",
      "version: 1\nrules:\n  - { id: r, limitt: { drift: 0 } }\n  - id: c\n    when: cost.chnage > 5\n",
    );
    const { code, messages, results } = await typed(["policy", "check", path]);
    expect({ code, results, messages: without(messages) }).toEqual({
      code: 2,
      results: "",
      messages: [
        "./wrong.yml:3:14 rules[0].limitt is not a key here; did you mean limit?",
        './wrong.yml:5:16 rules[1].when "chnage" is no member of Cost (did you mean change?); there are before, after, change, percent, currency',
      ],
    });
    const json = await typed(["policy", "check", "--json", path]);
    expect(json).toMatchObject({ code: 2, messages: [] });
    expect(JSON.parse(json.results)).toMatchObject({
      valid: false,
      problems: [
        { line: 3, column: 14, path: "rules[0].limitt" },
        { line: 5, column: 16 },
      ],
    });
  });

  test("under the organisation's file, and that file by itself", async () => {
    const organisation = file(
      "org.yml",
      "version: 1\nrules: [{ id: r, limit: { drift: 0 }, mandatory: true }]\n",
    );
    const path = file("below.yml", "version: 1\nrules: [{ id: r, limit: { drift: 9 } }]\n");
    expect(await typed(["policy", "check", path, "--organisation", organisation])).toMatchObject({
      code: 2,
      messages: [expect.stringContaining("a mandatory rule of the organisation")],
    });
    expect(await typed(["policy", "check", "--organisation", organisation])).toMatchObject({ code: 0 });
    expect(await typed(["policy", "check", organisation])).toMatchObject({ code: 2 });
  });

  test("notes allowed values of a tag that differ at most in case", async () => {
    const path = file(
      "tags.yml",
      "version: 1\ntags: { required: [{ key: team, values: [web, Web, db] }] }\n",
    );
    expect(await typed(["policy", "check", path])).toEqual({
      code: 0,
      results: "No problem: 0 rules, 1 required tag.",
      messages: ['note: "web" and "Web" of team differ at most in case; allow one of them'],
    });
  });

  test("notes waivers that have expired", async () => {
    const path = file(
      "old.yml",
      "version: 1\nrules: [{ id: r, limit: { drift: 0 } }]\nwaivers: [{ rule: r, until: 2020-01-01, reason: x, owner: finops }]\n",
    );
    expect(await typed(["policy", "check", path])).toMatchObject({
      code: 0,
      messages: ["note: the waiver of r that finops owns has expired; remove it"],
    });
  });

  test.each([
    [["policy", "check"], "FILE is missing."],
    [["policy", "check", "/nowhere/a.yml"], "/nowhere/a.yml cannot be read: there is no such file"],
  ])("%j: %s", async (words, message) => {
    expect(await typed(words)).toMatchObject({ code: 2, messages: [message, expect.any(String)] });
  });
});

const POLICY = "version: 1\nrules:\n  - { id: monthly, limit: { increase: 500 USD }, per: stage }\n";
const cases = (text: string) => `cases:\n${text}`;

describe("policy test", () => {
  test("reports every case with another result than expected", async () => {
    file(
      "t.yml",
      `${POLICY}  - { id: by-stage, limit: { increase: 9000 USD }, enforce: { prod: warn, "*": block } }\n`,
    );
    const path = file(
      "t.test.yml",
      cases(`  - case: as expected
    stages: [{ workspace: prod, after: 600 }]
    expect: { verdict: block, findings: { monthly: { outcome: violated, measured: 600 USD, about: [prod] } } }
  - case: not so
    stages: [{ workspace: prod, after: 700 }, { workspace: dev, after: 650 }]
    expect: { verdict: pass, findings: { monthly: { outcome: violated, measured: 600 USD, about: [prod] } } }
  - case: unexpected
    stages: [{ workspace: prod, after: 700 }]
    expect: {}
  - case: the other way round
    stages: [{ workspace: prod, after: 1 }]
    expect: { findings: { monthly: violated, montly: silent } }
  - case: of two stages one holds
    stages: [{ workspace: prod, after: 9500 }, { workspace: dev, after: 1 }]
    expect: { findings: { by-stage: passed, monthly: violated } }
`),
    );
    const { code, results, messages } = await typed(["policy", "test", path]);
    expect({ code, messages }).toEqual({ code: 1, messages: [] });
    expect(results.replaceAll(folder, ".")).toMatchInlineSnapshot(`
      "✗ ./t.test.yml: not so
          verdict
            - pass
            + block
          monthly about
            - prod
            + dev, prod
          monthly measured
            - 600 USD
            + 700 USD

      ✗ ./t.test.yml: unexpected
          monthly
            - nothing
            + violated in prod: 700 USD

      ✗ ./t.test.yml: the other way round
          monthly
            - violated
            + passed in prod: 1 USD
          montly
            - silent
            + no rule is called so (did you mean monthly?)

      ✗ ./t.test.yml: of two stages one holds
          by-stage
            - passed
            + violated: 9500 USD; passed: 1 USD

      4 of 5 cases not as expected"
    `);
    const json = await typed(["policy", "test", path, "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.results)).toMatchObject({
      files: [
        {
          state: "ran",
          results: [
            { case: "as expected", verdict: "block", asExpected: true, differences: [] },
            { case: "not so", asExpected: false },
            { case: "unexpected", asExpected: false },
            { case: "the other way round", asExpected: false },
            { case: "of two stages one holds", asExpected: false },
          ],
        },
      ],
    });
  });

  test("reports what is wrong with a file of cases, and with the policy that it names", async () => {
    file("bad.yml", "version: 1\nrules: [{ id: r }]\n");
    const named = file("named.test.yml", `policy: bad.yml\n${cases("  - { case: c, expect: {} }\n")}`);
    expect(await typed(["policy", "test", named])).toMatchObject({
      code: 2,
      messages: [expect.stringMatching(/bad\.yml:2:9 rules\[0\] has neither limit nor when/)],
    });
    const wrong = file(
      "wrong.test.yml",
      cases(`  - case: c
    stages: [{ workspce: prod, after: lots, rows: { deletd: [a] }, unknown: { cost: tired } }]
    pull: { autor: bob }
    expect: { verdit: pass, findings: { r: violatd } }
`),
    );
    const { code, messages } = await typed(["policy", "test", wrong]);
    expect(code).toBe(2);
    const said = without(messages).join("\n");
    expect(said.replace(/(one of not_estimated), .*/, "$1 …")).toMatchInlineSnapshot(`
      "./wrong.test.yml:3:14 cases[0].stages[0].workspace is missing; expected a name as text
      ./wrong.test.yml:3:16 cases[0].stages[0].workspce is not a key here; did you mean workspace?
      ./wrong.test.yml:3:39 cases[0].stages[0].after found "lots", expected an amount, such as 100 or 12.5
      ./wrong.test.yml:3:53 cases[0].stages[0].rows.deletd is not a key here; did you mean deleted?
      ./wrong.test.yml:3:85 cases[0].stages[0].unknown.cost found "tired", expected one of not_estimated …
      ./wrong.test.yml:4:13 cases[0].pull.autor is not a key here; did you mean author?
      ./wrong.test.yml:5:15 cases[0].expect.verdit is not a key here; did you mean verdict?
      ./wrong.test.yml:5:44 cases[0].expect.findings.r found "violatd", expected passed, violated, undecided, waived or silent, or a mapping with outcome"
    `);
  });

  test("reads all files of cases below a directory, and says where there are none", async () => {
    expect(await typed(["policy", "test", "examples/policies"])).toMatchObject({ code: 0, messages: [] });
    expect(await typed(["policy", "test", "docs"])).toMatchObject({
      code: 2,
      messages: ["docs has no cases", expect.any(String)],
    });
  });
});
