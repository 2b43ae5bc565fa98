import type { governance } from "../../platform/contract/governance.ts";
import type { Area } from "../area.ts";

/** Governance overview and prompts (cost management 4.1). */
export const governanceHandlers: Area<typeof governance> = {};
