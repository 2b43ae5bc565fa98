import type { Contract } from "./endpoint.ts";

/** Governance overview and prompts (cost management 4.1). */
export const governance = {} as const satisfies Contract;
