import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { readEstimate } from "../../src/plan-files/estimate/read-estimate.ts";
import { readPlan } from "../../src/plan-files/plan/read-plan.ts";
import { inPieces, utf8, utf16 } from "./bytes.ts";
import { planOf, readPlanText } from "./plan-builder.ts";

const asPlan = (bytes: Uint8Array) => readPlan({ file: "f", bytes: inPieces(bytes) });
const asEstimate = (bytes: Uint8Array) => readEstimate({ file: "f", bytes: inPieces(bytes), fallback: "f" });

const STATE = { version: 4, terraform_version: "1.9.0", serial: 3, lineage: "x", outputs: {}, resources: [] };
const ESTIMATE = { version: "0.2", currency: "USD", projects: [], totalMonthlyCost: "0" };

const BINARIES: readonly (readonly [string, readonly number[], string])[] = [
  ["zip", [0x50, 0x4b, 3, 4, 20, 0, 0, 0], "a binary plan"],
  ["gzip", [0x1f, 0x8b, 8, 0], "a gzip archive"],
  ["UTF-32", [0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0], "text in UTF-32"],
  ["anything else", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0], "a binary file"],
];

const TEXTS: readonly (readonly [string, string])[] = [
  ["", "is empty"],
  [" \n\n", "holds nothing but blanks"],
  ["<!DOCTYPE html><html></html>", "an HTML page"],
  ["<?xml version='1.0'?><a/>", "XML"],
  ["version: 0.1\nresource_type_default_usage:\n  x: 1\n", "an Infracost usage YAML"],
  ["version: 0.1\n\nprojects:\n  - path: a\n", "an Infracost configuration YAML"],
  ["Terraform will perform the following actions:\n", "a plan printed for people"],
  ["\u001b[1mTerraform used the selected providers", "a plan printed for people"],
  ["\u001b[0m\u001b[1m\u001b[32mNo changes.\u001b[0m Your infrastructure", "a plan printed for people"],
  ["cloud_disk.a: Refreshing state... [id=1]\n", "a plan printed for people"],
  ['resource "cloud_disk" "data" {\n}\n', "Terraform code"],
  ["# a disk\n\n// more\nlocals {\n}\n", "Terraform code"],
  ['{"resource":{"cloud_disk":{}}}', "Terraform code in JSON"],
  ['{"Currency":"USD","Diff":{}}', "the figures that the platform's policy engine sees"],
  ["# ours\nversion: 1\nrules: []\n", "a policy file: give it with `--policy`"],
  ["Error: no such file", "an error message"],
  ["version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"],
  ["name: x\n", "YAML"],
  ["hello", "is not JSON"],
  [
    "time=now level=warn\n{}",
    "other text before the JSON, which begins in line 2: write only the standard output",
  ],
  ["\u001b[0m{}", "begins with colour codes of a terminal"],
  [
    '{"format_version":"1.2","resource_changes":[]}\n{"format_version":"1.2"}',
    "a second JSON document in line 2; of several plans",
  ],
  ['{"config":{},"steps":[],"duration":1}', "a preview of Pulumi: only plans of Terraform"],
  ["[1, 2]", "is a JSON array, not an object; of several plans"],
  ['[{"a":1}]', "is a JSON array"],
  ['"text"', "is JSON, but not an object"],
  [JSON.stringify(STATE), "a Terraform state file"],
  ['{"format_version":"1.0","terraform_version":"1","values":{}}', "a Terraform state"],
  ['{"@level":"info","@message":"x"}\n{"@level":"info"}', "the log of `terraform plan -json`"],
  ['{"message":"Bad credentials","documentation_url":"https://x"}', "an error answer of an API"],
];

describe("a file that is something else is refused with what it seems to be", () => {
  test.each(BINARIES)("%s", async (_name, bytes, seems) => {
    for (const read of [asPlan, asEstimate])
      await expect(read(Uint8Array.from(bytes))).rejects.toThrow(seems);
  });

  test.each(TEXTS)("%j %s", async (text, seems) => {
    for (const read of [asPlan, asEstimate]) {
      await expect(read(utf8(text))).rejects.toThrow(seems);
      if (text !== "") await expect(read(utf16(text, "little"))).rejects.toThrow(seems);
    }
  });

  test.each([{ a: {} }, "none", 5, true])("an estimate whose projects are %j", async (projects) => {
    const text = JSON.stringify({ ...ESTIMATE, projects });
    await expect(asEstimate(utf8(text))).rejects.toThrow("something unexpected in projects");
  });

  test("an estimate whose currency is a number", async () => {
    await expect(asEstimate(utf8(JSON.stringify({ ...ESTIMATE, currency: 5 })))).rejects.toThrow(
      "something unexpected in currency: expected a text",
    );
  });

  test("an estimate given as a plan, and the other way round", async () => {
    await expect(asPlan(utf8(JSON.stringify(ESTIMATE)))).rejects.toThrow("an Infracost JSON");
    const refused = expect(asEstimate(utf8(JSON.stringify(planOf())))).rejects;
    await refused.toMatchObject({
      message: expect.stringContaining("a Terraform plan JSON"),
      hint: expect.not.stringMatching(/infracost breakdown/), // of a directory it compares with nothing
    });
    const old = { version: "0.1", resources: [], totalMonthlyCost: "0" };
    await expect(asEstimate(utf8(JSON.stringify(old)))).rejects.toThrow("older than version 0.2");
  });

  test("a file that is larger than a text can be", async () => {
    const piece = new Uint8Array(125_000_000);
    const bytes = (async function* () {
      for (let count = 0; count < 5; count += 1) yield piece;
    })();
    await expect(readPlan({ file: "f", bytes })).rejects.toThrow("is larger than 500 MB");
  });

  test("a plan that is cut off, with how much there was", async () => {
    const bytes = utf8(JSON.stringify(planOf({}, {})));
    await expect(asPlan(bytes.subarray(0, 150))).rejects.toThrow("is cut off after 150 bytes");
  });

  test("a plan with a syntax error or a wrong part: where, but never what", async () => {
    await expect(readPlanText('{"format_version":"1.2",\n"resource_changes" []}')).rejects.toThrow("line 2");
    const broken = '{"format_version":"1.2","resource_changes":[{"change":{"actions":"hunter2"}}]}';
    const error = await readPlanText(broken).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "file_not_recognised" });
    expect(String(error)).toContain("resource_changes.0");
    expect(inspect(error, { depth: 9 })).not.toContain("hunter2");
    await expect(readPlanText('{"format_version":"2.0"}')).rejects.toThrow("format version");
  });
});

test("a plan with a part that is nested without end is refused, not a fault", async () => {
  const deep = `${"[".repeat(30_000)}true${"]".repeat(30_000)}`;
  const text = JSON.stringify(planOf({ after: { a: "@" }, after_sensitive: { a: "@" } })).replaceAll(
    '"@"',
    deep,
  );
  await expect(readPlanText(text)).rejects.toThrow("resource_changes.0 is nested too deeply");
});

describe("text around the document", () => {
  const document = JSON.stringify(planOf({}));

  test.each([
    ["\n", 0],
    ["\r\n\r\n  ", 0],
    ["\nINFO Found 1 project\nWARN x\n", 1],
    ["\n\nErr:\n\n", 1],
    ["\n::debug::stdout: x", 1],
    ["\n2024-01-01T00:00:00Z done", 1],
  ])("%j after it: %i notes, and the plan is read", async (after, notes) => {
    const read = await readPlanText(document + after);
    expect(read.counts.added).toBe(1);
    expect(read.notes).toHaveLength(notes);
  });

  test.each([
    [`\n${document}`, "a second JSON document in line 2"],
    ["{}", "a second JSON document in line 1"],
    ["}", "something after the JSON in line 1"],
    [" garbage", "something after the JSON in line 1"],
    ["\n]", "something after the JSON in line 2"],
  ])("%j after it is refused", async (after, message) => {
    await expect(readPlanText(document + after)).rejects.toThrow(message);
  });

  test("the line of a command wrapper before it is ignored with a note", async () => {
    const read = await readPlanText(`[command]/usr/bin/terraform show -json plan\n${document}`);
    expect(read.counts.added).toBe(1);
    expect(read.notes).toHaveLength(1);
  });
});
