import type { z } from "zod";
import type { DefaultPipeline, settings } from "../../platform/contract/settings.ts";
import type { Area } from "../area/area.ts";
import { addAccount } from "../area/keys.ts";
import { automationHandlers } from "./automations.ts";
import {
  deleteDefaultPipeline,
  listDefaultPipelines,
  putDefaultPipeline,
} from "./store/default-pipelines.ts";
import { isPushDisabled } from "./store/push-disabled.ts";
import type { SettingsTables } from "./store/tables.ts";

type Association = z.input<typeof DefaultPipeline>;

/** Handlers for settings of a project (provisioning 4.1). */
export const settingsHandlers: Area<typeof settings, SettingsTables> = {
  listDefaultPipelines: async ({ params, query }, context) => {
    const rows = await listDefaultPipelines(context.db, addAccount(context, params), query.workspace);
    // Only what the contract's own enumerations let through is ever stored.
    const body = rows.map(({ updated_ms, ...row }) => ({ ...row, updated: updated_ms }) as Association);
    return { body };
  },

  putDefaultPipeline: async ({ params, body }, context) => {
    const { updated, ...association } = body;
    await putDefaultPipeline(context.db, {
      ...addAccount(context, params),
      ...association,
      updated_ms: updated,
    });
    return { body: undefined };
  },

  deleteDefaultPipeline: async ({ params, body }, context) => {
    await deleteDefaultPipeline(context.db, { ...addAccount(context, params), ...body });
    return { body: undefined };
  },

  getPushDisabled: async ({ params }, context) => ({
    body: { disabled: await isPushDisabled(context.db, addAccount(context, params)) },
  }),

  ...automationHandlers,
};
