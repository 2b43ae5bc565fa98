import type { Expectation } from "../model/policy.ts";

/** Applies without `expect` in any file: a change of provisioning code waits two hours for one execution. */
export const DEFAULT_EXPECTATION: Expectation = {
  paths: ["**/*.{tf,tofu,tfvars,hcl}", "**/*.{tf,tofu,tfvars,hcl}.json", "**/*.{tftpl,tfbackend,tfstate}"],
  workspaces: [],
  withinMs: 2 * 3_600_000,
};
