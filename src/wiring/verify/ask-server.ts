import { setTimeout as sleep } from "node:timers/promises";
import type { Tolerance, WorkspacePlan } from "../../policy/model/apply.ts";
import type { VerifiedPlan } from "../../render/apply-result.ts";
import { APPLIES_PATH, ApplyAnswer } from "../../web/applies/contract.ts";
import { callServer, type ServerAccess } from "../import/call-server.ts";
import type { AppliedCommit } from "./compare-with-check.ts";

const RETRYING = { tries: 5, pauseMs: 500, sleep } as const;

/** Has a server compare plans with what it evaluated, which it records. Throws `platform_failed` with the server's reason. */
export async function askServer(
  server: ServerAccess,
  { owner, name, sha, base, tolerance }: AppliedCommit & { readonly tolerance: Tolerance | null },
  plans: readonly WorkspacePlan[],
): Promise<readonly VerifiedPlan[]> {
  const verified: VerifiedPlan[] = [];
  for (const plan of plans) {
    const body = { repository: `${owner}/${name}`, sha, base, plan, tolerance };
    const call = { path: APPLIES_PATH, body, answer: ApplyAnswer, purpose: "plans that are applied" };
    verified.push({ workspace: plan.workspace, ...(await callServer(server, call, RETRYING)) });
  }
  return verified;
}
