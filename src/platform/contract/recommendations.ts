import type { Contract } from "./endpoint.ts";

/** Savings that the platform recommends (cost management 4.2). */
export const recommendations = {} as const satisfies Contract;
