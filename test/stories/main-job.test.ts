import { expect, inject, it, onTestFinished } from "vitest";
import { evaluatePull, joins } from "../world/conversation.ts";
import { freshPostgres } from "../world/engines.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld } from "../world/world.ts";

const POLICY = `version: 1
expect:
  - { paths: ["infra/**"], workspaces: [production], within: 2h }
rules:
  - { id: monthly-increase, limit: { increase: 100 USD }, approve: { teams: [finops] } }
  - { id: no-deletes, limit: { deletions: 0 }, approve: { permission: maintain, reviews: true } }
override: { teams: [security] }
`;

const server = inject("postgresUrl");
const databases = [
  { engine: "the embedded database", url: async () => null as string | null },
  ...(server === null
    ? []
    : [{ engine: "PostgreSQL", url: async () => freshPostgres(server) as Promise<string | null> }]),
];

it.each(databases)(
  "a pull request waits for its plan, is blocked above the limit, opens by approval, review or override, and starts anew with a push, on $engine",
  { timeout: 180_000 },
  async ({ url }) => {
    const world = await createWorld({ policy: POLICY, databaseUrl: await url() });
    onTestFinished(() => world.ends());
    joins(world);
    const pull = world.opensPullRequest({ title: "Smaller machines" });
    await world.settles();
    expect(world.gate(pull)).toBe("in_progress");
    expect(world.github.mergeability(pull).allowed).toBe(false);
    const cost = { before: "1303.04", after: "742.64", change: "-560.4" };
    const changes = [{ address: "module.web.aws_instance.app", change: "changed" as const }];
    await world.ci.runs({ sha: pull.headSha, cost, changes, bind: "status" });
    await world.settles();
    expect(world.gate(pull)).toBe("success");
    expect(world.github.mergeability(pull)).toEqual({ allowed: true, reasons: [] });
    expect(world.comment(pull)).toContain("$560.40");
    expect(world.comment(pull)).toContain("**1** changed");
    world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/b.tf": "# b\n" } });
    await world.settles();
    expect(world.gate(world.github.pullRequest(pull))).toBe("in_progress");

    const approved = await evaluatePull(world);
    expect(approved.gate()).toBe("action_required");
    expect(world.github.mergeability(approved.pull).allowed).toBe(false);
    const comment = await approved.signs("grace", "up to 600 USD load test until May");
    expect(approved.gate()).toBe("success");
    expect(approved.reactions(comment)).toEqual(["+1"]);
    expect(world.github.mergeability(approved.pull).allowed).toBe(true);

    const deleted = [{ address: "aws_thing.old", change: "deleted" as const }];
    const reviewed = await evaluatePull(world, { cost, changes: deleted });
    expect(reviewed.gate()).toBe("action_required");
    world.github.review(reviewed.pull, { by: "olga", state: "approved" });
    await world.settles();
    expect(reviewed.gate()).toBe("success");

    const overridden = await evaluatePull(world);
    await overridden.says("ivan", `/tollgate override ${overridden.pull.headSha} the site is down`);
    expect(overridden.gate()).toBe("success");
    expect(overridden.report()).toContain("Overridden by `@ivan`");
  },
);
