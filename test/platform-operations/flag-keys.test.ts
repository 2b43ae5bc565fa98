import { flagKeys } from "../../src/platform/contract/flag-keys.ts";
import { flagKeyCases } from "./flag-keys.ts";
import { playOperations } from "./run.ts";

playOperations(flagKeys, flagKeyCases);
