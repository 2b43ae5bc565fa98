import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { SCHEMA_FILE } from "../../sandbox/graphql/execution.ts";
import { SENT_QUERIES } from "../github/sent-queries.ts";
import { githubSchema } from "./github-schema.ts";

const written = readFileSync(SCHEMA_FILE, "utf8");

test("the sandbox's schema is the part of GitHub's that is queried", () => {
  expect(written, "run `npm run generate:graphql`").toBe(githubSchema());
});

test.each(Object.entries(SENT_QUERIES))("the sandbox understands the query of %s", (_name, query) => {
  expect(validate(buildSchema(written), parse(query))).toEqual([]);
});
