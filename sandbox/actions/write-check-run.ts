import type { z } from "zod";
import { readCommit } from "../git/objects.ts";
import type { CheckRun } from "../state/checks.ts";
import { getObjects } from "../state/find.ts";
import { ApiRefusal } from "../state/refusal.ts";
import type { Repository } from "../state/repositories.ts";
import type { World } from "../state/world.ts";
import { buildCheckRunUpdate, type CheckRunChange, type NewCheckRunBody } from "./check-run-body.ts";
import { createCheckRun, updateCheckRun } from "./checks.ts";

interface NewRun {
  readonly repository: Repository;
  readonly appId: number;
  readonly body: z.infer<typeof NewCheckRunBody>;
}

/** Creates a check run of an App; refuses a commit that does not exist in the repository. */
export function createRunByBody(world: World, { repository, appId, body }: NewRun): CheckRun {
  if (readCommit(getObjects(world, repository), body.head_sha) === null)
    throw new ApiRefusal(422, `No commit found for SHA: ${body.head_sha}`);
  const now = world.clock.now();
  const blank: Omit<CheckRun, "id" | "suiteId"> = {
    repositoryId: repository.id,
    appId,
    name: body.name,
    headSha: body.head_sha,
    status: "queued",
    conclusion: null,
    externalId: null,
    detailsUrl: null,
    startedAt: now,
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
    actions: [],
  };
  return createCheckRun(world, { ...blank, ...buildCheckRunUpdate(body, { run: blank, now }) });
}

/** Changes a check run. */
export const updateRunByBody = (
  world: World,
  run: CheckRun,
  body: z.infer<typeof CheckRunChange>,
): CheckRun => updateCheckRun(world, run.id, buildCheckRunUpdate(body, { run, now: world.clock.now() }));
