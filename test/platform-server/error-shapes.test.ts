import { expect, it } from "vitest";
import { ERROR_SHAPES } from "../../src/platform/openapi/document.ts";
import { type ProblemName, STATUS } from "../../src/platform-server/area/problem.ts";
import { ENVELOPES } from "../../src/platform-server/http/answer.ts";

const PROBLEMS = Object.keys(STATUS) as ProblemName[];
const FIELDS = [{ field: "name", error: "is missing" }];

it.each(Object.entries(ENVELOPES))(
  "error answers of %s have the members that are published, and no others",
  (name, write) => {
    const shape = ERROR_SHAPES[name as keyof typeof ERROR_SHAPES];
    const published = Object.keys(shape.shape);
    for (const problem of PROBLEMS)
      for (const more of [{}, { fields: FIELDS }]) {
        const body = write({ problem, message: "no", ...more }, "call-1");
        expect(shape.safeParse(body).error).toBeUndefined();
        expect(published).toEqual(expect.arrayContaining(Object.keys(body)));
      }
  },
);
