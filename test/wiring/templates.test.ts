import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRenderer, type Renderer } from "../../src/render/renderer.ts";
import { loadOperatorTemplates, loadTemplates } from "../../src/wiring/process/templates.ts";
import { evaluation } from "../render/evaluation-builder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-templates-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const logged: object[] = [];
const log = { warn: (details: object) => logged.push(details) };
beforeEach(() => {
  logged.length = 0;
});

/** A renderer with this template of the operator's. */
function render(name: string, text: string): Renderer {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return createRenderer(loadTemplates(), { operator: loadOperatorTemplates(folder, log) });
}

const NOTHING = evaluation({ situation: { kind: "nothing_expected" } });
const LINKS = { details: null, recheckHint: false };

describe("the operator's templates", () => {
  it("replace the shipped ones of the same name and leave the others", () => {
    const renderer = render("verdict/nothing-expected.hbs", "Keine Änderung an der Infrastruktur\n");
    expect(renderer.check(NOTHING, LINKS).title).toBe("Keine Änderung an der Infrastruktur");
    expect(renderer.comment(NOTHING, LINKS)).toContain("\n\nNothing to do. The policy expects no execution");
    expect(logged).toEqual([]);
  });

  it.each([
    [
      "an unknown name",
      "verdict/pas.hbs",
      "x",
      "verdict/pas.hbs: replaces no shipped template; did you mean verdict/pass.hbs?",
    ],
    [
      "the name of a page's",
      "pages/layout.hbs",
      "x",
      "pages/layout.hbs: replaces no shipped template; expected the name of a shipped template",
    ],
    [
      "a syntax error",
      "since-last.hbs",
      "a\n{{#if head}}",
      "does not compile: Parse error on line 2: Expecting",
    ],
    ["an unknown helper", "verdict/pass.hbs", "{{nubmer count}}", "unknown helper nubmer - 1:0"],
    [
      "too long a text",
      "next-step/pass.hbs",
      "x".repeat(10_001),
      "found 10001 bytes, expected at most 10000",
    ],
  ])("with %s stop the start and name the file", (_, name, text, problem) => {
    expect(() => render(name, text)).toThrow(
      expect.objectContaining({
        code: "settings_invalid",
        message: expect.stringMatching(/^TEMPLATES_DIR: has templates that cannot be used:\n {2}\S+\.hbs: /),
      }),
    );
    expect(() => render(name, text)).toThrow(problem);
  });

  it("in a directory that does not exist stop the start", () => {
    expect(() => loadOperatorTemplates(join(folder, "none"), log)).toThrow("cannot be read as a directory");
  });

  it.each([
    ["an unknown field", "{{amuont}}", /^verdict\/nothing-expected.hbs:1 "amuont" not defined/],
    ["an unknown partial", "{{> percnt}}", /The partial percnt could not be found/],
    ["a partial without its fields", "{{> version}}", /^version.hbs:1 "version" not defined/],
    ["an inclusion of itself", "a{{> verdict/nothing-expected}}", /nothing-expected.hbs:1 includes itself/],
  ])("with %s give way to the shipped one, and say so once in each render", async (_, text, problem) => {
    const shipped = createRenderer(loadTemplates());
    const renderer = render("verdict/nothing-expected.hbs", text);
    const failure = { template: "verdict/nothing-expected", problem: expect.stringMatching(problem) };
    expect(renderer.title(NOTHING)).toBe(shipped.title(NOTHING));
    expect(renderer.check(NOTHING, LINKS)).toEqual(shipped.check(NOTHING, LINKS));
    expect(renderer.comment(NOTHING, LINKS)).toBe(shipped.comment(NOTHING, LINKS));
    expect(logged).toEqual([failure]);
    await Promise.resolve();
    renderer.check(NOTHING, LINKS);
    expect(logged).toEqual([failure, failure]);
  });
});
