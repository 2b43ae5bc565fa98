import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../kernel/clock.ts";
import { createPlatformClient } from "../../platform/client.ts";
import { governance } from "../../platform/contract/governance.ts";
import { getPushDisabled } from "../../platform/contract/settings.ts";
import type { DialectName } from "../../platform/contract/wire/dialect.ts";
import { type Probe as PlatformProbe, probeFor } from "../../platform/dialect-probe.ts";
import type { Failure, PlatformResult } from "../../platform/errors.ts";
import type { Grant } from "../../settings/operator.ts";
import type { PlatformSettings } from "../../settings/settings.ts";
import type { DoctorContext } from "./context.ts";
import { fail, ok, type Probe, type ProbeResult, skip } from "./probe.ts";

type RemotePlatform = Extract<PlatformSettings, { kind: "remote" }>;

export const platformProbes: readonly Probe[] = [
  { id: "platform", area: "Platform", title: "platform", examine: examinePlatform },
  { id: "platform_audit", area: "Platform", title: "audit events", examine: examineAudit },
];

/** A read is repeated by a person, so its limits are short. */
const LIMITS = { connectMs: 3_000, headersMs: 8_000, totalMs: 10_000, tries: 1 } as const;

async function examinePlatform({ inspected, clock }: DoctorContext): Promise<ProbeResult> {
  const { platform, operator } = inspected.settings;
  if (platform.kind === "embedded") return ok(`embedded, account ${platform.account}`);
  if (!inspected.isUsable("PLATFORM_TOKEN") || !inspected.isUsable("PLATFORM_ACCOUNT"))
    return skip("the platform's settings cannot be used");
  return examineRemote(platform, chooseRead(operator.grants), clock);
}

/** A value that each token for the account may read: it proves address, token, account, scope and dialect. */
function chooseRead(grants: readonly Grant[]): PlatformProbe | null {
  for (const { org, project } of grants)
    if (project !== undefined) return probeFor(getPushDisabled, { params: { org, project } });
  return probeFor(governance.listPromptResources, {});
}

async function examineRemote(
  platform: RemotePlatform,
  read: PlatformProbe | null,
  clock: Clock,
): Promise<ProbeResult> {
  const dialects: readonly DialectName[] =
    platform.dialect === null ? ["live", "neutral"] : [platform.dialect];
  let last: Failure | null = null;
  for (const dialect of dialects) {
    const answer = await readFrom({ ...platform, dialect }, read, clock);
    if (answer.ok) return ok(`${platform.url}, account ${platform.account}, dialect ${dialect}`);
    last = answer.failure;
    if (last.status === null || last.kind === "unauthorised") break; // the other dialect has the same address and token
  }
  return last === null ? skip("nothing can be read") : explainPlatformFailure(platform, last);
}

async function readFrom(
  platform: RemotePlatform,
  probe: PlatformProbe | null,
  clock: Clock,
): Promise<PlatformResult<unknown>> {
  const client = createPlatformClient({
    ...platform,
    clock,
    random: Math.random,
    sleep: (ms) => sleep(ms),
    limits: LIMITS,
  });
  try {
    const { endpoint = getPushDisabled, input = {} } = probe ?? {};
    return await client.call(endpoint, input);
  } finally {
    await client.close();
  }
}

function explainPlatformFailure(
  { url, account }: RemotePlatform,
  { kind, status, message }: Failure,
): ProbeResult {
  const found = `${url} answers ${status ?? "not"}: ${message}`;
  if (kind === "unauthorised") return fail(found, "PLATFORM_TOKEN is wrong, expired or of another account.");
  if (kind === "forbidden")
    return fail(
      found,
      `The token may not read account ${account}: give its service account the viewer role.`,
    );
  if (kind === "not_found" || kind === "malformed" || kind === "rejected")
    return fail(
      found,
      "Compare PLATFORM_URL, PLATFORM_ACCOUNT, PLATFORM_PREFIX and PLATFORM_DIALECT with docs/operations/settings.md, and org and project of the first grant.",
    );
  return fail(
    found,
    "Check PLATFORM_URL, the network and its proxy; the platform's status page says whether it is down.",
  );
}

async function examineAudit({ inspected }: DoctorContext): Promise<ProbeResult> {
  return ok(
    inspected.settings.platform.kind === "embedded"
      ? "link executions to commits"
      : "cannot be read on this platform; statuses, checks and notifications link executions to commits",
  );
}
