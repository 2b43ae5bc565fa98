import { lookup } from "node:dns/promises";
import type { NotificationTarget } from "../../settings/notification-targets.ts";
import type { DoctorContext } from "./context.ts";
import { count, ok, type Probe, type ProbeProblem, type ProbeResult, skip, toResultOf } from "./probe.ts";

export const notificationProbes: readonly Probe[] = [
  {
    id: "notifications",
    area: "Settings",
    title: "notifications",
    examine: examineTargets,
  },
];

/** Sends nothing: `tollgate notify test` does. */
async function examineTargets({ inspected }: DoctorContext): Promise<ProbeResult> {
  if (!inspected.isUsable("TOLLGATE_SETTINGS")) return skip("needs the operator's file");
  const { operator, publicUrl } = inspected.settings;
  const { targets } = operator.notifications;
  if (targets.length === 0) return ok("none; nobody is told anything");
  const found = await Promise.all(targets.map(findTargetProblems));
  const link: readonly ProbeProblem[] =
    publicUrl === null
      ? [
          {
            found: "PUBLIC_URL is not set, so messages have no link to Tollgate's pages",
            fix: "Set PUBLIC_URL (docs/operations/settings.md).",
          },
        ]
      : [];
  const named = targets.map(({ name, kind }) => `${name} (${kind})`).join(", ");
  return toResultOf([...found.flat(), ...link], `${count(targets.length, "target")}: ${named}`, "warning");
}

async function findTargetProblems(target: NotificationTarget): Promise<readonly ProbeProblem[]> {
  const host = new URL(target.kind === "email" ? target.smtp : target.url).hostname.replace(/^\[|\]$/g, "");
  const isFound = await lookup(host).then(
    () => true,
    () => false,
  );
  const isIdle = target.on.length === 0;
  return [
    ...(isFound
      ? []
      : [
          {
            found: `the host of the target ${target.name} is not known to this machine's DNS`,
            fix: "Correct its address, then run `tollgate notify test`.",
          },
        ]),
    ...(isIdle && target.teams.length > 0
      ? [
          {
            found: `the target ${target.name} has teams, and an empty list of events`,
            fix: "Add approval-needed to its `on`, or leave `teams` out.",
          },
        ]
      : []),
  ];
}
