import type { NeverAnswered, Stage } from "./case.ts";

export const URL_OF_HOOK = "https://hooks.example.com/in";
/** Nobody may be called there, so nothing leaves the test. */
const UNREACHABLE = "http://[::1]:1/";

export const NO_INVENTORY: NeverAnswered = {
  never:
    "the platform keeps no list of registries, repositories and spaces: one that has no webhooks has an empty list",
};
export const UNKNOWN = "unknown-hook";

/** The account's one webhook points to where nobody may be called, and has one execution; returns its number. */
export async function delivered(stage: Stage, event: string): Promise<number> {
  const { account, db } = stage;
  const hook = await db
    .updateTable("platform_hooks")
    .set({ url: UNREACHABLE })
    .where("account", "=", account)
    .returning("hook_id")
    .executeTakeFirstOrThrow();
  const execution = {
    account,
    hook_id: hook.hook_id,
    retrigger_of: null,
    event,
    result: "RETRIABLE_ERROR",
    error: "the target answered with status 503",
    duration_ns: 1_000,
    request_url: UNREACHABLE,
    request_headers: "User-Agent: Platform/1\n",
    request_body: "{}",
    response_code: 503,
    response_status: "503 Service Unavailable",
    response_headers: "",
    response_body: "",
    created_ms: stage.clock.now(),
  };
  const row = await db
    .insertInto("platform_hook_executions")
    .values(execution)
    .returning("execution_id")
    .executeTakeFirstOrThrow();
  return row.execution_id;
}

/** The number that `delivered` returned. */
export async function executionOf({ account, db }: Stage): Promise<number> {
  const row = await db
    .selectFrom("platform_hook_executions")
    .select("execution_id")
    .where("account", "=", account)
    .executeTakeFirstOrThrow();
  return row.execution_id;
}
