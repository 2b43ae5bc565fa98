import type { ResourceChange, StageFacts } from "../../../report/model/facts.ts";
import { type ExecutionKey, findFinalFacts, saveFinalFacts } from "../../../store/final-facts.ts";
import type { JobDeps } from "../../run/deps.ts";
import { placeOf, type RowAttributes, withRowAttributes } from "./attributes.ts";

/** By the row's place in the platform's listing. */
type Names = Readonly<Record<string, RowAttributes>>;

/** Stages with the names that were read before: a snapshot never changes, so they are final. */
export function withStoredAttributes(
  deps: JobDeps,
  stages: readonly StageFacts[],
): Promise<readonly StageFacts[]> {
  return Promise.all(
    stages.map(async (stage) => {
      const kept = await findFinalFacts(deps.db, keyOf(deps, stage), slotOf(stage));
      const names = (kept ?? {}) as Names; // written below
      return withRowAttributes(stage, (row) => names[placeOf(row)] ?? null);
    }),
  );
}

/** Keeps the names of a stage once all that were asked for are told, or gone for good. */
export async function saveAttributes(deps: JobDeps, stages: readonly StageFacts[]): Promise<void> {
  for (const stage of stages) {
    const told = stage.rows.state === "known" ? stage.rows.value.rows.filter(isTold) : [];
    if (told.length === 0 || !told.every(isFinal)) continue;
    const facts = Object.fromEntries(told.map((row) => [placeOf(row), attributesIn(row)]));
    await saveFinalFacts(
      deps.db,
      { ...keyOf(deps, stage), stages: slotOf(stage), facts },
      new Date(deps.clock.now()),
    );
  }
}

const isTold = ({ ordinal, changedAttributes: names, attributesBecause }: ResourceChange): boolean =>
  ordinal !== undefined && (names !== undefined || attributesBecause !== undefined);

const isFinal = ({ attributesBecause: because }: ResourceChange): boolean =>
  because === undefined || because === "past_retention";

const attributesIn = ({
  changedAttributes: names,
  attributeChanges,
  attributesBecause: because,
}: ResourceChange): RowAttributes => ({
  ...(names === undefined ? {} : { changedAttributes: names }),
  ...(attributeChanges === undefined ? {} : { attributeChanges }),
  ...(because === undefined ? {} : { attributesBecause: because }),
});

const slotOf = ({ stageExecutionId }: StageFacts): string => `attributes of ${stageExecutionId}`;

const keyOf = ({ operator }: JobDeps, { org, project, executionId }: StageFacts): ExecutionKey => ({
  account: operator.account,
  org,
  project,
  pipeline_execution_id: executionId,
});
