import type { recommendations } from "../../platform/contract/recommendations.ts";
import type { Area } from "../area.ts";

/** Savings that the platform recommends (cost management 4.2). */
export const recommendationsHandlers: Area<typeof recommendations> = {};
