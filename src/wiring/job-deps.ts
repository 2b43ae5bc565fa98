import type { Logger } from "pino";
import type { JobDeps, PolicyTasks } from "../evaluate/run/deps.ts";
import type { InstallationClient } from "../github/client/installation-client.ts";
import { VERSION } from "../package/version.ts";
import { createRenderer, type Renderer } from "../render/renderer.ts";
import type { Settings } from "../settings/settings.ts";
import { NO_TELEMETRY, type Telemetry } from "../telemetry/telemetry.ts";
import { POLICY_PAGE } from "../web/policy-page.ts";
import { listOwnUrls } from "./own-addresses.ts";
import { buildPageAddresses } from "./pages/pages-address.ts";
import type { ConnectedPlatform } from "./platform/connect.ts";
import { buildOperatorRules } from "./policy/operator-rules.ts";
import type { StoreSession } from "./process/store-session.ts";
import { loadOperatorTemplates, loadTemplates } from "./process/templates.ts";

/** The parts that jobs are built of, in a server and in a CI job. */
export interface JobParts {
  readonly session: Pick<StoreSession, "store" | "queue" | "clock" | "laneSpacingMs">;
  readonly platform: Pick<ConnectedPlatform, "client" | "backgroundClient" | "pace" | "findByCommit">;
  readonly github: {
    readonly appId: number;
    installation(installationId: number): InstallationClient;
    /** Root URL of GitHub's pages, without a slash at the end. */
    readonly pages: string;
  };
  readonly policies: PolicyTasks;
  readonly log: Logger;
  /** Default: nothing is recorded. */
  readonly telemetry?: Telemetry;
  /** Absent: made of the shipped and the operator's templates. */
  readonly renderer?: Renderer | undefined;
  /** See `JobDeps.isOneShot`. */
  readonly isOneShot: boolean;
}

/** Builds the dependencies of all jobs. */
export function buildJobDeps(settings: Settings, parts: JobParts): JobDeps {
  const { session, platform, github, policies, log, isOneShot, telemetry = NO_TELEMETRY } = parts;
  return {
    db: session.store.db,
    queue: session.queue,
    clock: session.clock,
    laneSpacingMs: session.laneSpacingMs,
    log,
    telemetry,
    isOneShot,
    ownAppId: github.appId,
    github: (installationId) => github.installation(installationId),
    platform: platform.client,
    backgroundPlatform: platform.backgroundClient,
    platformPace: platform.pace,
    findByCommit: platform.findByCommit,
    githubPages: github.pages,
    ...(settings.publicUrl !== null && { policyPage: `${settings.publicUrl}${POLICY_PAGE}` }),
    ...(!isOneShot && buildPageAddresses(settings)),
    operator: buildOperatorRules(settings, listOwnUrls(settings)),
    renderer:
      parts.renderer ??
      createRenderer(loadTemplates(), {
        version: VERSION,
        operator: loadOperatorTemplates(settings.templatesDirectory, log),
      }),
    policies,
  };
}
