import { schema as github } from "@octokit/graphql-schema";
import { buildSchema, type GraphQLSchema, parse, validate } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import {
  CLAIMS_QUERY,
  COMMIT_CLAIMS_QUERY,
  HEAD_QUERY,
  MERGE_GROUP_QUERY,
} from "../../src/github/head/head-query.ts";
import { REMOVAL_QUERY } from "../../src/github/head/removal.ts";
import { COMMITS_QUERY, PEOPLE_QUERY } from "../../src/github/people/people-query.ts";

describe("the GraphQL that is sent", () => {
  let schema: GraphQLSchema;
  beforeAll(() => {
    schema = buildSchema(github.idl, { assumeValid: true });
  });

  it.each([
    ["a head", HEAD_QUERY],
    ["statuses and checks of a commit", COMMIT_CLAIMS_QUERY],
    ["further statuses and checks", CLAIMS_QUERY],
    ["a merge group", MERGE_GROUP_QUERY],
    ["whether a file was removed", REMOVAL_QUERY],
    ["people and what they wrote", PEOPLE_QUERY],
    ["further commits", COMMITS_QUERY],
  ])("is valid against GitHub's own schema: %s", (_name, query) => {
    expect(validate(schema, parse(query)).map((error) => error.message)).toEqual([]);
  });

  it("would be refused with a field that GitHub does not have", () => {
    const wrong = HEAD_QUERY.replace("changedFiles", "changedFilesCount");
    expect(validate(schema, parse(wrong))).toHaveLength(1);
  });
});
