import { enableCompileCache, flushCompileCache } from "node:module";

// Before anything else is loaded: from the second start on, half the time of a short command is saved.
enableCompileCache();
// A server may run for months and then be killed: its compiled code is saved soon after its start.
setTimeout(flushCompileCache, 10_000).unref();
await import("./program.ts");
