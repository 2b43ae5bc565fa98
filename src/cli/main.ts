#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Before anything else is loaded: from the second start on, half the time of a short command is saved.
enableCompileCache();
await import("./program.ts");
