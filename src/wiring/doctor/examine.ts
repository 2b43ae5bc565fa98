import { Agent } from "undici";
import { systemClock, within } from "../../kernel/clock.ts";
import { TollgateError } from "../../kernel/errors.ts";
import type { PerformTask } from "../../policy/task.ts";
import { type Environment, type InspectedSettings, inspectSettings } from "../../settings/read.ts";
import { withPolicyThread } from "../evaluation/policy-tasks.ts";
import { githubProbes } from "./github-probes.ts";
import { platformProbes } from "./platform-probes.ts";
import { policyProbes } from "./policy-probes.ts";
import { connectDoctor, type DoctorContext, fail, failWith, type Probe, type ProbeResult } from "./probe.ts";
import { settingsProbes } from "./settings-probes.ts";
import { storageProbes } from "./storage-probes.ts";

/** Every line of the doctor, in the order of its output. */
const PROBES: readonly Probe[] = [
  ...settingsProbes,
  ...storageProbes,
  ...githubProbes,
  ...platformProbes,
  ...policyProbes,
];

export interface ExaminedProbe extends Pick<Probe, "id" | "area" | "title"> {
  readonly result: ProbeResult;
}

export interface Examination {
  /** The worst state of all lines. */
  readonly state: "ok" | "warning" | "failed";
  readonly probes: readonly ExaminedProbe[];
}

export interface ExamineOptions {
  /** `OWNER/NAME` whose gate is examined; null: none. */
  readonly repository: string | null;
  readonly probes?: readonly Probe[];
  /** Time limit of each probe, in ms; default: 20,000. */
  readonly timeoutMs?: number;
  /** Default: in a thread. */
  readonly perform?: PerformTask;
}

const TIMEOUT_MS = 20_000;

/** Examines the installation that the environment describes: all probes at the same time. Writes nothing. */
export async function examineInstallation(
  environment: Environment,
  { repository, probes = PROBES, timeoutMs = TIMEOUT_MS, perform }: ExamineOptions,
): Promise<Examination> {
  if (perform === undefined)
    return withPolicyThread((inThread) =>
      examineInstallation(environment, { repository, probes, timeoutMs, perform: inThread }),
    );
  const dispatcher = new Agent({ connections: 16, connect: { timeout: 5_000 } });
  try {
    const inspected = inspectSettings(environment);
    const github = connectGitHub(inspected, dispatcher);
    const context: DoctorContext = { inspected, repository, clock: systemClock, perform, github };
    const examined = await Promise.all(
      probes.map(async ({ id, area, title, examine }) => ({
        ...{ id, area, title },
        result: await examineInTime(() => examine(context), timeoutMs),
      })),
    );
    return { state: findWorstState(examined), probes: examined };
  } finally {
    await dispatcher.destroy();
  }
}

function connectGitHub({ settings, isUsable }: InspectedSettings, dispatcher: Agent) {
  const { github: credentials, githubUrl } = settings;
  const isComplete = (["APP_ID", "PRIVATE_KEY", "PRIVATE_KEY_PATH", "GHE_HOST"] as const).every(isUsable);
  return credentials === null || !isComplete
    ? null
    : connectDoctor({ credentials, githubUrl, dispatcher, clock: systemClock });
}

async function examineInTime(examine: () => Promise<ProbeResult>, timeoutMs: number): Promise<ProbeResult> {
  const late = () =>
    fail(`no answer within ${timeoutMs / 1000} s`, "Check the network, and run the command again.");
  try {
    return await within(timeoutMs, examine(), late);
  } catch (error) {
    // The other lines say what they found all the same.
    if (error instanceof TollgateError) return failWith(error);
    throw error;
  }
}

function findWorstState(examined: readonly ExaminedProbe[]): Examination["state"] {
  const states = examined.map(({ result }) => result.state);
  return (["failed", "warning"] as const).find((state) => states.includes(state)) ?? "ok";
}
