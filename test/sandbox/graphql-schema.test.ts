import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SCHEMA_FILE } from "../../sandbox/graphql/execution.ts";
import { githubSchema } from "./github-schema.ts";

test("the sandbox's schema is the part of GitHub's that is queried", () => {
  expect(readFileSync(SCHEMA_FILE, "utf8"), "run `npm run generate:graphql`").toBe(githubSchema());
});
