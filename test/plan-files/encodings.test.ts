import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPlan } from "../../src/plan-files/plan/read-plan.ts";
import { casesToTry } from "../world/depth.ts";
import { inPieces, utf8, utf16 } from "./bytes.ts";
import { plan, readPlanText, resourceChange } from "./plan-builder.ts";

const ENCODINGS: Readonly<Record<string, (text: string) => Uint8Array>> = {
  "UTF-8": utf8,
  "UTF-8 with mark": (text) => utf8(`\ufeff${text}`),
  "UTF-16 little endian": (text) => utf16(text, "little"),
  "UTF-16 little endian with mark": (text) => utf16(`\ufeff${text}`, "little"),
  "UTF-16 big endian": (text) => utf16(text, "big"),
  "UTF-16 big endian with mark": (text) => utf16(`\ufeff${text}`, "big"),
};

describe.each(Object.entries(ENCODINGS))("a plan in %s", (_name, encode) => {
  test("is the same plan, in whatever pieces it arrives", async () => {
    const key = fc.string({ unit: "grapheme", maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(key, fc.integer({ min: 1, max: 30 }), async (given, size) => {
        const address = `cloud_disk.data[${JSON.stringify(given.toWellFormed())}]`;
        const text = JSON.stringify(plan({ resource_changes: [resourceChange({ address })] }), null, 1);
        const read = await readPlan({ file: "plan", bytes: inPieces(encode(text), size) });
        expect(read.rows).toEqual((await readPlanText(text)).rows);
        expect(read.rows.planned_changes[0]?.address).toBe(address);
      }),
      { numRuns: casesToTry({ usual: 8, deep: 100 }) },
    );
  });
});
