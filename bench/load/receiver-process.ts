import { pino } from "pino";
import { readEnvironment, readSettings } from "../../src/settings/read.ts";
import { startBot } from "../../src/wiring/start.ts";

/** A `tollgate start` that stores deliveries and processes none, so that a backlog waits for workers. */
const settings = readSettings(readEnvironment());
const { github } = settings;
if (github === null) throw new Error("the load gives every process the App's settings");
await startBot({ ...settings, github }, { log: pino({ level: settings.logLevel }), role: "web" });
