import type { settings } from "../../platform/contract/settings.ts";
import { isPushDisabled } from "../../store/platform-settings.ts";
import type { Area } from "../area.ts";

/** Settings of a project (provisioning 4.1). */
export const settingsHandlers: Area<typeof settings> = {
  getPushDisabled: async ({ params }, context) => ({
    body: { disabled: await isPushDisabled(context.db, { account: context.token.account, ...params }) },
  }),
};
