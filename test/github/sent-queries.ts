import { buildCheckMutation, buildRunParameters } from "../../src/github/checks/publish-check.ts";
import { VIEWER_QUERY } from "../../src/github/client/token-installation.ts";
import { type BatchedMutation, buildOperation } from "../../src/github/client/write-lane.ts";
import { MINIMISE_QUERY } from "../../src/github/comments/own-comments.ts";
import {
  CLAIMS_QUERY,
  COMMIT_CLAIMS_QUERY,
  HEAD_QUERY,
  MERGE_GROUP_QUERY,
  QUEUE_COMMITS_QUERY,
} from "../../src/github/head/head-query.ts";
import { REMOVAL_QUERY } from "../../src/github/head/policy-file.ts";
import { OBJECTORS_QUERY } from "../../src/github/people/objectors.ts";
import { COMMITS_QUERY, PEOPLE_QUERY } from "../../src/github/people/people-query.ts";
import { checkWrite } from "./github.ts";

const write = checkWrite();

function buildMutation(run: Parameters<typeof buildCheckMutation>[2]): BatchedMutation {
  const mutation = buildCheckMutation(write, buildRunParameters(write, write.output), run);
  if (mutation === undefined) throw new Error("every global id is known");
  return mutation;
}

const CREATE_CHECK = buildMutation("new");
const UPDATE_CHECK = buildMutation({ nodeId: "CR_1" });

/** Every GraphQL query that is sent to GitHub, by what it asks for. */
export const SENT_QUERIES: Readonly<Record<string, string>> = {
  "a head": HEAD_QUERY,
  "statuses and checks of a commit": COMMIT_CLAIMS_QUERY,
  "further statuses and checks": CLAIMS_QUERY,
  "a merge group": MERGE_GROUP_QUERY,
  "the commits of a merge queue": QUEUE_COMMITS_QUERY,
  "whether a file was removed": REMOVAL_QUERY,
  "people and what they wrote": PEOPLE_QUERY,
  "further commits": COMMITS_QUERY,
  "who requests changes": OBJECTORS_QUERY,
  "a comment is minimised": MINIMISE_QUERY,
  "whose token it is": VIEWER_QUERY,
  "checks that are written together": buildOperation([CREATE_CHECK, UPDATE_CHECK]),
};
