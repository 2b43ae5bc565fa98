import type { unitMetrics } from "../../platform/contract/unit-metrics.ts";
import type { Area } from "../area.ts";

/** Unit metrics (cost management 4.4). */
export const unitMetricsHandlers: Area<typeof unitMetrics> = {};
