import { settings } from "../../src/platform/contract/settings.ts";
import { playOperations } from "./run.ts";
import { settingsCases } from "./settings.ts";

playOperations(settings, settingsCases);
