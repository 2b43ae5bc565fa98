import type { Contract } from "./endpoint.ts";

/** Unit metrics (cost management 4.4). */
export const unitMetrics = {} as const satisfies Contract;
