import { z } from "zod";
import type { BatchedMutation } from "../client/batched-mutation.ts";
import type { buildRunParameters } from "./check-run-body.ts";
import type { CheckWrite } from "./check-write.ts";

const SELECTION = "{ checkRun { databaseId name status checkSuite { app { databaseId } commit { oid } } } }";

const Payload = z.object({
  checkRun: z.object({
    databaseId: z.int(),
    name: z.string(),
    status: z.string(),
    checkSuite: z.object({
      app: z.object({ databaseId: z.int() }).nullable(),
      commit: z.object({ oid: z.string() }),
    }),
  }),
});

type RunParameters = ReturnType<typeof buildRunParameters>;

/**
 * Returns the mutation that creates a check run, or updates the one with the global id `runNodeId`; undefined where GitHub did not
 * state a global id that it needs. https://docs.github.com/en/graphql/reference/mutations#createcheckrun
 */
export function buildCheckMutation(
  { repositoryNodeId, headSha, decision }: CheckWrite,
  { name, external_id, details_url, output, actions }: RunParameters,
  run: "new" | { readonly nodeId: string | undefined },
): BatchedMutation | undefined {
  if (repositoryNodeId === null || (run !== "new" && run.nodeId === undefined)) return undefined;
  const content = {
    repositoryId: repositoryNodeId,
    name,
    externalId: external_id,
    detailsUrl: details_url,
    status: decision.status.toUpperCase(),
    ...(decision.status === "completed" && { conclusion: decision.conclusion.toUpperCase() }),
    output,
    actions,
  };
  const kind =
    run === "new"
      ? { field: "createCheckRun", inputType: "CreateCheckRunInput", input: { ...content, headSha } }
      : {
          field: "updateCheckRun",
          inputType: "UpdateCheckRunInput",
          input: { ...content, checkRunId: run.nodeId },
        };
  return { ...kind, selection: SELECTION, toRestBody };
}

/** The parts of the REST route's body that prove the write. */
function toRestBody(payload: unknown): unknown {
  const parsed = Payload.safeParse(payload);
  if (!parsed.success) return payload;
  const { databaseId: id, name, status, checkSuite } = parsed.data.checkRun;
  const app = checkSuite.app === null ? null : { id: checkSuite.app.databaseId };
  return { id, name, head_sha: checkSuite.commit.oid, status: status.toLowerCase(), app };
}
