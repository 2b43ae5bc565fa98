import type { ApplicationFunctionOptions, Probot } from "probot";
import { readEnvironment, readSettings } from "./settings/read.ts";
import { startInProbot } from "./wiring/start.ts";

/**
 * Tollgate as a Probot application function, for `probot run` and `createNodeMiddleware`: registers each event, hands it to the
 * queue, adds the routes. Settings come from the environment; docs/operations/settings.md lists them.
 */
export default function tollgate(app: Probot, options: ApplicationFunctionOptions): Promise<void> {
  return startInProbot(app, options, readSettings(readEnvironment()));
}
