import { setTimeout as sleep } from "node:timers/promises";
import type { Sha } from "../../kernel/ids.ts";
import type { Tolerance, WorkspacePlan } from "../../policy/model/apply.ts";
import { APPLIES_PATH, ApplyAnswer } from "../../web/applies/contract.ts";
import { callServer, type ServerAccess } from "../import/call-server.ts";
import type { VerifiedPlan } from "./describe-result.ts";

interface Apply {
  readonly owner: string;
  readonly name: string;
  readonly sha: Sha;
  /** The base branch that is applied; null: any. */
  readonly base: string | null;
  readonly tolerance: Tolerance | null;
}

const RETRYING = { tries: 5, pauseMs: 500, sleep } as const;

/** Has a server compare plans with what it evaluated, which it records. Throws `platform_failed` with the server's reason. */
export async function askServer(
  server: ServerAccess,
  { owner, name, sha, base, tolerance }: Apply,
  plans: readonly WorkspacePlan[],
): Promise<readonly VerifiedPlan[]> {
  const verified: VerifiedPlan[] = [];
  for (const plan of plans) {
    const body = { repository: `${owner}/${name}`, sha, base, plan, tolerance };
    const call = { path: APPLIES_PATH, body, answer: ApplyAnswer, purpose: "plans that are applied" };
    const { result, pulls, page, ...rest } = await callServer(server, call, RETRYING);
    verified.push({ workspace: plan.workspace, result, pulls, page, notes: listNotes(rest) });
  }
  return verified;
}

function listNotes({
  uncounted,
  unchecked,
}: Pick<ApplyAnswer, "uncounted" | "unchecked">): readonly string[] {
  const list = (numbers: readonly number[]): string => numbers.map((number) => `#${number}`).join(", ");
  return [
    ...(uncounted.length === 0
      ? []
      : [
          `Merged earlier and not compared, because no apply of this workspace was accepted yet: ${list(uncounted)}. If they are not applied yet, apply them first, each at its merge commit.`,
        ]),
    ...(unchecked.length === 0
      ? []
      : [`Merged although the check had not passed, so they allow nothing: ${list(unchecked)}.`]),
  ];
}
