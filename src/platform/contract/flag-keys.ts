import type { Contract } from "./endpoint.ts";

/** Keys of environments for feature-flag SDKs (document 1, 4.1). */
export const flagKeys = {} as const satisfies Contract;
