import { z } from "zod";
import { enforcement, limit } from "./finding-schema.ts";
import { decimal, money, texts } from "./scalars.ts";

const names = {
  branches: texts,
  paths: texts,
  labels: texts,
  authors: texts,
  stages: texts,
  workspaces: texts,
  modules: texts,
  resourceTypes: texts,
  providers: texts,
};

const scope = z.object({ ...names, not: z.object(names).exactOptional() }).nullable();
const stageNames = z.array(z.object({ workspace: z.string(), name: z.string() }));

/** The parts of a policy that pages show and compute with. */
export const shownPolicy = z.object({
  rules: z.array(
    z.object({
      id: z.string(),
      limit,
      per: z.enum(["pull-request", "stage", "module", "resource-type"]),
      scope,
      enforce: enforcement,
      mandatory: z.boolean(),
    }),
  ),
  waivers: z.array(
    z.object({
      rule: z.string(),
      scope,
      upTo: z.union([money, decimal]).nullable(),
      untilMs: z.number(),
      reason: z.string(),
      owner: z.string(),
    }),
  ),
  stages: stageNames,
  organisationStages: stageNames,
});
