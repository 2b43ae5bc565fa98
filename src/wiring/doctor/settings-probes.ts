import { TollgateError } from "../../kernel/errors.ts";
import { readOperatorTemplates } from "../process/templates.ts";
import { fail, failWith, ok, type Probe, toResultOf, warn } from "./probe.ts";

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
];
