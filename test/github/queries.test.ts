import { schema as github } from "@octokit/graphql-schema";
import { buildSchema, type GraphQLSchema, parse, validate } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { HEAD_QUERY } from "../../src/github/head/head-query.ts";
import { SENT_QUERIES } from "./sent-queries.ts";

describe("the GraphQL that is sent", () => {
  let schema: GraphQLSchema;
  beforeAll(() => {
    schema = buildSchema(github.idl, { assumeValid: true });
  });

  it.each(Object.entries(SENT_QUERIES))("is valid against GitHub's own schema: %s", (_name, query) => {
    expect(validate(schema, parse(query)).map((error) => error.message)).toEqual([]);
  });

  it("would be refused with a field that GitHub does not have", () => {
    const wrong = HEAD_QUERY.replace("changedFiles", "changedFilesCount");
    expect(validate(schema, parse(wrong))).toHaveLength(1);
  });
});
