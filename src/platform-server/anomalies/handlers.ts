import type { anomalies } from "../../platform/contract/anomalies.ts";
import type { Area } from "../area.ts";

/** Cost anomalies (cost management 4.3). */
export const anomaliesHandlers: Area<typeof anomalies> = {};
