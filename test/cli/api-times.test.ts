import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { printForPeople } from "../../src/cli/api/table.ts";
import { ROOT } from "../docs/claims.ts";

const AT = "2026-01-01T00:00:00.000Z";
const MS = Date.parse(AT);

function print(answer: unknown): string {
  const lines: string[] = [];
  printForPeople(answer, {
    result: (text) => void lines.push(text),
    message: () => {},
    exit: () => {},
  });
  return lines.join("\n");
}

type Described = Readonly<Record<string, { readonly description?: string }>>;
const { components } = JSON.parse(readFileSync(join(ROOT, "docs/openapi.json"), "utf8"));
const MEMBERS = Object.entries(components.schemas as Record<string, { properties?: Described }>).flatMap(
  ([shape, { properties = {} }]) =>
    Object.entries(properties).flatMap(([name, { description = "" }]) =>
      /since 1970|Unix (milli)?seconds/i.test(description) ? [[shape, name, description] as const] : [],
    ),
);

test("people are shown each time of the published shapes in ISO 8601, of milliseconds and of seconds", () => {
  expect(MEMBERS.length).toBeGreaterThan(20);
  const shown = MEMBERS.map(([shape, name, description]) => {
    const value = description.includes("Unix seconds") ? MS / 1000 : MS;
    return [
      shape,
      name,
      print({ [name]: value }).includes(AT) && print([{ deep: { [name]: value } }]).includes(AT),
    ];
  });
  expect(shown.filter(([, , isTime]) => !isTime)).toEqual([]);
});

test("people are shown the days of a series in ISO 8601, and no other number or text as a time", () => {
  const series = print({ [MS]: { active: { count: MS } }, [MS + 86_400_000]: { active: { count: 2 } } });
  expect(series).toContain(`${AT}.active.count`);
  expect(series).toContain(`${MS}`);
  expect(print({ tags: { [MS]: "x" }, duration: MS, count: 1_767_225_600 })).not.toContain("2026");
});
