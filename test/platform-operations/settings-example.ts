import { expect } from "vitest";
import type { getPushDisabled } from "../../src/platform/contract/settings.ts";
import type { OperationCase } from "./case.ts";

const project = { org: "acme", project: "payments" };

/** How a case looks. */
export const pushDisabled: OperationCase<typeof getPushDisabled> = {
  input: { params: project },
  expect: (value) => expect(value).toEqual({ disabled: false }),
  errors: {
    400: { input: { params: { ...project, org: "o".repeat(129) } }, says: "org" },
    404: { never: "a project that nobody wrote to is like an empty one" },
    409: { never: "nothing is written" },
    423: { never: "nothing is locked for a reader" },
  },
  limits: [{ at: "params.org", good: ["o", "o".repeat(128)], bad: ["o".repeat(129)] }],
};
