import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRenderer } from "../../src/render/renderer.ts";
import { loadOperatorTemplates } from "../../src/wiring/process/templates.ts";
import { evaluation } from "../render/evaluation-builder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-templates-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

describe("the operator's templates", () => {
  it("replace the shipped ones of the same name and leave the others", () => {
    file("verdict/nothing-expected.hbs", "Keine Änderung an der Infrastruktur\n");
    const renderer = createRenderer(loadOperatorTemplates(folder));
    const e = evaluation({ situation: { kind: "nothing_expected" } });
    const links = { details: null, recheckHint: false };
    expect(renderer.check(e, links).title).toBe("Keine Änderung an der Infrastruktur");
    expect(renderer.comment(e, links)).toContain("\n\nNothing to do. The policy expects no execution");
  });

  it("are not needed", () => {
    expect(Object.keys(loadOperatorTemplates(undefined))).toContain("verdict/pass");
  });

  it.each([
    [
      "an unknown file name",
      "verdict/pas.hbs",
      "x",
      "verdict/pas.hbs:1:1 replaces no shipped template; did you mean verdict/pass.hbs?",
    ],
    ["a syntax error", "since-last.hbs", "a\n{{#if head}}", "since-last.hbs:2:"],
    [
      "an unknown field",
      "verdict/pass.hbs",
      "{{amuont.state}}",
      'verdict/pass.hbs:1:3 unknown field "amuont"; did you mean amount?',
    ],
    [
      "an unknown helper",
      "verdict/pass.hbs",
      "{{nubmer count}}",
      'verdict/pass.hbs:1:3 unknown helper "nubmer"; did you mean number?',
    ],
    [
      "an unknown partial",
      "verdict/pass.hbs",
      "{{> percnt}}",
      'unknown template "percnt"; did you mean percent?',
    ],
    [
      "a field that is not there",
      "verdict/pass.hbs",
      "a\n{{reason}}",
      'verdict/pass.hbs:2 "reason" not defined',
    ],
    ["too long a text", "next-step/pass.hbs", "x".repeat(70_000), "expected at most 65000"],
  ])("with %s stop the start and name the place", (_, name, text, message) => {
    file(name, text);
    expect(() => loadOperatorTemplates(folder)).toThrow(message);
  });

  it("in a directory that does not exist stop the start", () => {
    expect(() => loadOperatorTemplates(join(folder, "none"))).toThrow("cannot be read as a directory");
  });
});
