import type { ResourceChange, RowAttributes, StageFacts } from "../../../report/model/facts.ts";
import { type ExecutionKey, findRowAttributes, saveRowAttributes } from "../../../store/final-facts.ts";
import type { JobDeps } from "../../run/deps.ts";
import { buildRowKey, withRowAttributes } from "./attributes.ts";

/** Adds the stored attribute changes to stages. A snapshot never changes, so they are final. */
export function withStoredAttributes(
  deps: JobDeps,
  stages: readonly StageFacts[],
): Promise<readonly StageFacts[]> {
  return Promise.all(
    stages.map(async (stage) => {
      const { stageExecutionId } = stage;
      const names = await findRowAttributes(deps.db, {
        execution: buildExecutionKey(deps, stage),
        stageExecutionId,
      });
      return withRowAttributes(stage, (row) => names[buildRowKey(row)] ?? null);
    }),
  );
}

/** Saves the attribute changes of a stage once every requested one is known or permanently missing. */
export async function saveAttributes(deps: JobDeps, stages: readonly StageFacts[]): Promise<void> {
  for (const stage of stages) {
    const rowsWithAttributes =
      stage.rows.state === "known" ? stage.rows.value.rows.filter(hasAttributes) : [];
    if (rowsWithAttributes.length === 0 || !rowsWithAttributes.every(isFinal)) continue;
    const attributes = Object.fromEntries(
      rowsWithAttributes.map((row) => [buildRowKey(row), getAttributes(row)]),
    );
    const key = { execution: buildExecutionKey(deps, stage), stageExecutionId: stage.stageExecutionId };
    await saveRowAttributes(deps.db, { ...key, attributes }, new Date(deps.clock.now()));
  }
}

const hasAttributes = ({ ordinal, changedAttributes: names, attributesBecause }: ResourceChange): boolean =>
  ordinal !== undefined && (names !== undefined || attributesBecause !== undefined);

const isFinal = ({ attributesBecause: because }: ResourceChange): boolean =>
  because === undefined || because === "past_retention";

const getAttributes = ({
  changedAttributes: names,
  attributeChanges,
  attributesBecause: because,
}: ResourceChange): RowAttributes => ({
  ...(names === undefined ? {} : { changedAttributes: names }),
  ...(attributeChanges === undefined ? {} : { attributeChanges }),
  ...(because === undefined ? {} : { attributesBecause: because }),
});

const buildExecutionKey = (
  { operator }: JobDeps,
  { org, project, executionId }: StageFacts,
): ExecutionKey => ({
  account: operator.account,
  org,
  project,
  pipeline_execution_id: executionId,
});
