import type { flagKeys } from "../../platform/contract/flag-keys.ts";
import type { Area } from "../area.ts";

/** Keys of environments for feature-flag SDKs (document 1, 4.1). */
export const flagKeysHandlers: Area<typeof flagKeys> = {};
