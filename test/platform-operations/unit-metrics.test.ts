import { unitMetrics } from "../../src/platform/contract/unit-metrics.ts";
import { playOperations } from "./run.ts";
import { unitMetricCases } from "./unit-metrics.ts";

playOperations(unitMetrics, unitMetricCases);
