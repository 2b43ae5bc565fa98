import { changeRule } from "./count-rule.ts";

/** Resources that were changed outside of the plan. */
export const drift = changeRule({ parts: ["modules", "types"], rows: ["drifted"] }, ({ drifted }) => drifted);
