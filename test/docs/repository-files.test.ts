import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "../..");
const WORKFLOWS = join(ROOT, ".github/workflows");
const FORMS = join(ROOT, ".github/ISSUE_TEMPLATE");
const yamlIn = (folder: string) =>
  readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly { readonly type: string; readonly id?: string }[];
}

describe("the repository's own workflows", () => {
  it.each(yamlIn(WORKFLOWS))(
    "$file uses every action at a full commit id, with its version beside it",
    ({ text }) => {
      const uses = text.split("\n").filter((line) => line.includes("uses:"));
      expect(uses.length).toBeGreaterThan(0);
      for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+/);
    },
  );

  it.each(yamlIn(WORKFLOWS))("$file may read the repository and nothing else", ({ text }) => {
    expect((parse(text) as { permissions: unknown }).permissions).toEqual({ contents: "read" });
  });
});

it.each(yamlIn(FORMS).filter(({ file }) => file !== "config.yml"))(
  "the issue form $file is one that GitHub takes",
  ({ text }) => {
    const { name, description, body } = parse(text) as Form;
    expect([name, description].every((words) => words.length > 0)).toBe(true);
    const questions = body.filter(({ type }) => type !== "markdown");
    const ids = questions.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[\w-]+$/);
  },
);
