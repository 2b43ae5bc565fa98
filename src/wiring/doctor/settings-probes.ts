import { lookup } from "node:dns/promises";
import { TollgateError } from "../../kernel/errors.ts";
import type { NotificationTarget } from "../../settings/notification-targets.ts";
import { readOperatorTemplates } from "../process/templates.ts";
import {
  count,
  type DoctorContext,
  fail,
  failWith,
  ok,
  type Probe,
  type ProbeProblem,
  type ProbeResult,
  skip,
  toResultOf,
  warn,
} from "./probe.ts";

export const settingsProbes: readonly Probe[] = [
  {
    id: "settings",
    area: "Settings",
    title: "settings",
    examine: async ({ inspected: { problems, settings } }) =>
      toResultOf(
        problems.map((found) => ({
          found,
          fix: "Correct it in the environment or in .env; docs/operations/settings.md lists every setting.",
        })),
        settings.github === null ? "can be used" : `can be used; App ${settings.github.appId}`,
      ),
  },
  {
    id: "public_url",
    area: "Settings",
    title: "public address",
    examine: async ({ inspected: { settings } }) =>
      settings.publicUrl === null
        ? warn(
            "PUBLIC_URL is not set: comments do not link to Tollgate, and several replicas cannot share the embedded platform",
            "Set PUBLIC_URL to the address at which GitHub, people and CI reach Tollgate.",
          )
        : ok(settings.publicUrl),
  },
  {
    id: "templates",
    area: "Settings",
    title: "templates",
    examine: async ({ inspected: { settings } }) => {
      try {
        readOperatorTemplates(settings.templatesDirectory);
        return ok(settings.templatesDirectory === undefined ? "as shipped" : settings.templatesDirectory);
      } catch (error) {
        return error instanceof TollgateError
          ? failWith(error)
          : fail("cannot be read", "Correct TEMPLATES_DIR, or unset it.");
      }
    },
  },
  { id: "notifications", area: "Settings", title: "notifications", examine: examineTargets },
];

/** Sends nothing: `tollgate notify test` does. */
async function examineTargets({ inspected }: DoctorContext): Promise<ProbeResult> {
  if (!inspected.isUsable("TOLLGATE_SETTINGS")) return skip("needs the operator's file");
  const { operator, publicUrl } = inspected.settings;
  const { targets } = operator.notifications;
  if (targets.length === 0) return ok("none; no notifications are sent");
  const found = await Promise.all(targets.map(findTargetProblems));
  const link = publicUrl === null && {
    found: "PUBLIC_URL is not set, so messages have no link to Tollgate's pages",
    fix: "Set PUBLIC_URL (docs/operations/settings.md).",
  };
  const named = targets.map(({ name, kind }) => `${name} (${kind})`).join(", ");
  return toResultOf([...found.flat(), link], `${count(targets.length, "target")}: ${named}`, "warning");
}

async function findTargetProblems(target: NotificationTarget): Promise<readonly (ProbeProblem | false)[]> {
  const host = new URL(target.kind === "email" ? target.smtp : target.url).hostname.replace(/^\[|\]$/g, "");
  const isFound = await lookup(host).then(
    () => true,
    () => false,
  );
  const isIdle = target.on.length === 0;
  return [
    !isFound && {
      found: `the host of the target ${target.name} is not known to this machine's DNS`,
      fix: "Correct its address, then run `tollgate notify test`.",
    },
    isIdle &&
      target.teams.length > 0 && {
        found: `the target ${target.name} has teams, and an empty list of events`,
        fix: "Add approval-needed to its `on`, or leave `teams` out.",
      },
  ];
}
