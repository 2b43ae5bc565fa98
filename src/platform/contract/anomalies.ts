import type { Contract } from "./endpoint.ts";

/** Cost anomalies (cost management 4.3). */
export const anomalies = {} as const satisfies Contract;
