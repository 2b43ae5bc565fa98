import { anomalies } from "../../src/platform/contract/anomalies.ts";
import { governance } from "../../src/platform/contract/governance.ts";
import { anomalyCases } from "./anomalies.ts";
import { governanceCases } from "./governance.ts";
import { playOperations } from "./run.ts";

playOperations(anomalies, anomalyCases);
playOperations(governance, governanceCases);
