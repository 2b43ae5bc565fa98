import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { guard } from "../../src/render/custom/guard.ts";
import { WORDABLE } from "../../src/render/custom/names.ts";
import { fillWordingPage } from "../../src/render/custom/reference.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/wording.md"), "utf8");

describe("the page about custom words", () => {
  it("has the fields that the code has; if not: npm run generate:wording", () => {
    expect(fillWordingPage(page)).toBe(page);
    expect(page).toContain("| `open: attributes: attribute` |");
  });

  it("shows an example that is allowed", () => {
    const [, example = ""] = /```hbs\n([\s\S]*?)```/.exec(page) ?? [];
    expect(example).not.toBe("");
    expect(guard(example, WORDABLE["next-step"].fields)).toEqual([]);
  });
});
