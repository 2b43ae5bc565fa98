import { ownOperations } from "../../src/platform/contract/own-operations.ts";
import { ourCases } from "./own-operations.ts";
import { playOperations } from "./run.ts";

const { emitEvent: _, ...rest } = ownOperations;
playOperations(rest, ourCases);
