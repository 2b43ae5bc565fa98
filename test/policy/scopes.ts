import type { Scope } from "../../src/policy/model/policy.ts";
import { cost, group, known, moduleCost, resource, stage } from "../report/facts.ts";
import { policy } from "./policies.ts";

/** A scope of everything. */
export const EMPTY: Scope = {
  branches: [],
  paths: [],
  labels: [],
  authors: [],
  stages: [],
  workspaces: [],
  modules: [],
  resource_types: [],
  providers: [],
  tags: [],
};

/** A rule that is violated wherever it looks at all. */
export const about = (scope: string) =>
  policy(`rules: [{ id: r, limit: { increase: 0 USD }, scope: { ${scope} } }]`);

/** A stage that grows by 60 USD: 50 of them in `web.db`, which is of AWS, and 10 of Google's in the root. */
export const GROWN = stage({
  workspace: "prod-network",
  cost: known(
    cost("100 > 160", {
      groups: [
        group("aws_instance", "50 > 100", [resource("module.web.module.db.aws_instance.a", "50 > 100")]),
        group("google_sql", "50 > 60", [resource("google_sql.b", "50 > 60")]),
      ],
    }),
  ),
  modules: known([moduleCost("web.db", "50 > 100"), moduleCost("root", "50 > 60")]),
});
