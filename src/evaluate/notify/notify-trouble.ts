import type { PullKey } from "../../kernel/ids.ts";
import { findRepository } from "../../store/repositories.ts";
import type { JobDeps } from "../run/deps.ts";
import { notifyOperators } from "./notify-targets.ts";

const HOUR_MS = 3_600_000;

/** Tells operators that evaluations end in an error: once an hour, however many do. */
export async function notifyEvaluationTrouble(deps: JobDeps, key: PullKey): Promise<void> {
  const { targets } = deps.operator;
  if (!targets.some(({ on }) => on.has("trouble"))) return;
  const repository = await findRepository(deps.db, key.repositoryId);
  const trouble = {
    kind: "evaluation",
    repository: repository === undefined ? null : `${repository.owner_login}/${repository.name}`,
    number: key.number,
  } as const;
  const hour = Math.floor(deps.clock.now() / HOUR_MS);
  const change = { key: `${hour}`, notification: { event: "trouble", trouble } } as const;
  await notifyOperators(deps, [{ event: "trouble", subject: "trouble evaluation", change }]);
}
