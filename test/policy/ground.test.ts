import { expect, it } from "vitest";
import { serializeFigures } from "../../src/policy/approvals/lapse.ts";
import { changes, report, stage } from "../render/evaluation-builder.ts";

/** The same value with the members of each object in the opposite order, as a database may return them. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T; // the same elements
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)])) as T; // the same members
}

it("the figures of a report are one text, in whatever order a database returns the members of its facts", () => {
  const made = report([stage("prod", ["0", "10"], { counts: changes({ added: 2, deleted: 1 }) })]);
  expect(serializeFigures(reversed(made))).toBe(serializeFigures(made));
  const other = report([stage("prod", ["0", "10"], { counts: changes({ added: 2, deleted: 2 }) })]);
  expect(serializeFigures(other)).not.toBe(serializeFigures(made));
});
