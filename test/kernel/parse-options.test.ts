import { describe, expect, test } from "vitest";
import { z } from "zod";
import { PARSE_OPTIONS } from "../../src/kernel/parse-options.ts";
import { createIntegerText, openEnum } from "../../src/platform/contract/shapes/fields.ts";

const describeProblems = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, PARSE_OPTIONS).error?.issues.map(({ message }) => message);

describe("what is wrong with a value, in words", () => {
  test.each([
    [z.string(), undefined, "is missing; expected a text"],
    [z.string(), 1, "expected a text"],
    [z.string().min(1), "", "expected at least 1 character"],
    [z.string().max(3), "abcd", "expected at most 3 characters"],
    [openEnum(["A"]), null, "expected a text"],
    [z.enum(["A", "B"]), undefined, "is missing; expected one of A, B"],
    [z.enum(["A", "B"]), "C", "expected one of A, B"],
    [z.literal("A"), "C", "expected A"],
    [z.number(), "1", "expected a number"],
    [z.number().max(5), 6, "expected at most 5"],
    [z.int(), 1.5, "expected a whole number"],
    [createIntegerText(1, 9), "1e5", "expected a whole number"],
    [createIntegerText(1, 9), undefined, "is missing; expected a whole number"],
    [createIntegerText(1, 9), "10", "expected at most 9"],
    [z.boolean(), "yes", "expected true or false"],
    [z.array(z.string()).max(1), ["a", "b"], "expected at most 1 item"],
    [z.array(z.string()), {}, "expected a list"],
    [z.object({}), [], "expected an object"],
    [z.record(z.string(), z.string()), "x", "expected an object"],
    [z.strictObject({}), { colour: 1, shade: 2 }, "there is no member colour, shade"],
    [z.iso.date(), "2026-02-30", "expected a day that exists, such as 2026-01-31"],
    [z.string().regex(/x/, "expected an x"), "y", "expected an x"],
  ])("%#", (schema, value, words) => {
    expect(describeProblems(schema, value)).toEqual([words]);
  });
});
