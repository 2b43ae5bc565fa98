import { sql } from "kysely";
import type { z } from "zod";
import {
  type DefaultPipeline,
  DriftConfigToWrite,
  EphemeralConfigToWrite,
  type settings,
} from "../../platform/contract/settings.ts";
import { deleteRows, findRow, has, upsert } from "../../store/database/statements.ts";
import { transact } from "../../store/database/transaction.ts";
import { type ProjectKey, toProjectKey } from "../../store/tables/project-key.ts";
import type { Area, Context } from "../area/area.ts";
import { type AutomationKey, pickAutomationKey } from "../tables/settings.ts";
import { isPushDisabled } from "./push-disabled.ts";

type Association = z.input<typeof DefaultPipeline>;

/** Handlers for settings of a project (provisioning 4.1). */
export const settingsHandlers: Area<typeof settings> = {
  listDefaultPipelines: async ({ params, query: { workspace } }, context) => {
    const rows = await context.db
      .selectFrom("platform_default_pipelines")
      .selectAll()
      .where(has(getProject(context, params)))
      .$if(workspace !== "", (all) => all.where("workspace", "=", workspace))
      .orderBy("provisioner")
      .orderBy("operation")
      .orderBy(sql`workspace collate "C"`)
      .execute();
    // Only what the contract's own enumerations let through is ever stored.
    const body = rows.map(({ updated_ms, ...row }) => ({ ...row, updated: updated_ms }) as Association);
    return { body };
  },

  putDefaultPipeline: async ({ params, body: { updated: updated_ms, ...association } }, context) => {
    const row = { ...getProject(context, params), ...association, updated_ms };
    await upsert(context.db, "platform_default_pipelines", row);
    return { body: undefined };
  },

  deleteDefaultPipeline: async ({ params, body }, context) => {
    await deleteRows(context.db, "platform_default_pipelines", { ...getProject(context, params), ...body });
    return { body: undefined };
  },

  getPushDisabled: async ({ params }, context) => ({
    body: { disabled: await isPushDisabled(context.db, getProject(context, params)) },
  }),

  getDriftConfig: async ({ params, query: { provisioner } }, context) => {
    const config = await findConfig(context, params, { kind: "drift", provisioner });
    if (config === null) return { body: { enabled: false, provisioner } };
    return { body: { ...DriftConfigToWrite.parse(config), enabled: true, executed: false } };
  },

  putDriftConfig: ({ params, body }, context) =>
    accept(context, params, { kind: "drift", provisioner: body.provisioner }, body),

  deleteDriftConfig: ({ params, query }, context) =>
    accept(context, params, { kind: "drift", ...query }, null),

  getEphemeralConfig: async ({ params, query: { provisioner } }, context) => {
    const config = await findConfig(context, params, { kind: "ephemeral", provisioner });
    if (config === null) return { body: { enabled: false, provisioner } };
    const { destroy_delay_value, destroy_delay_unit, ttl_value, ttl_unit, ...rest } =
      EphemeralConfigToWrite.parse(config);
    return {
      body: {
        ...rest,
        enabled: true,
        executed: false,
        ttl_value: destroy_delay_value ?? ttl_value,
        ttl_unit: destroy_delay_unit ?? ttl_unit,
        delete_workspace: rest.delete_workspace ?? false,
      },
    };
  },

  putEphemeralConfig: ({ params, body }, context) =>
    accept(context, params, { kind: "ephemeral", provisioner: body.provisioner }, body),

  deleteEphemeralConfig: ({ params, query }, context) =>
    accept(context, params, { kind: "ephemeral", ...query }, null),
};

type Project = Omit<ProjectKey, "account">;
type Automation = Pick<AutomationKey, "kind" | "provisioner">;

const getProject = ({ account }: Context, { org, project }: Project): ProjectKey =>
  toProjectKey({ account, org, project });

/** Returns the last accepted configuration; null: never set, or disabled. */
async function findConfig(context: Context, project: Project, automation: Automation): Promise<unknown> {
  const key = { ...getProject(context, project), ...automation };
  const row = await findRow(context.db, "platform_automations", key);
  return JSON.parse(row?.config ?? "null");
}

const SCHEDULED = { drift: "drift triggers", ephemeral: "destroy and delete schedules" } as const;

/**
 * Stores a configuration (null: disabled) together with the job that applies it, before it enqueues the job: one that the queue never
 * heard of is enqueued at the next start.
 */
async function accept(context: Context, project: Project, automation: Automation, config: object | null) {
  const key = pickAutomationKey({ ...getProject(context, project), ...automation });
  const text = config === null ? null : JSON.stringify(config);
  const requested_ms = context.clock.now();
  const jobId = await transact(context.db, async (trx) => {
    const { job_id } = await trx
      .insertInto("platform_settings_jobs")
      .values({ ...key, requested_ms, state: "queued", workspaces: null, finished_ms: null })
      .returning("job_id")
      .executeTakeFirstOrThrow();
    await upsert(trx, "platform_automations", { ...key, config: text, job_id });
    return job_id;
  });
  await context.enqueue({ kind: "settings", account: key.account, jobId });
  const status = `${SCHEDULED[key.kind]} of every workspace are being ${config === null ? "removed" : "set"}`;
  return { body: { job_id: jobId, status } };
}
