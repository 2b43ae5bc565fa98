import { afterAll, beforeAll, expect, it } from "vitest";
import { STRICT } from "../world/costs.ts";
import { createWorld, type World } from "../world/world.ts";

const COST = { before: "100", after: "600", change: "500" };
const ENDLESS = `[["a"]]${".map(x, [x, x])".repeat(40)}`;
const HOSTILE = `version: 1
rules:
  - { id: lists, when: '${ENDLESS} == ${ENDLESS}' }
  - { id: texts, when: '["aaaa"]${".map(x, x + x)".repeat(27)}[0].size() > 0' }
`;

/** A busy machine may have no time for it. */
const OWN_RULES = /Under its own rules it could not be evaluated\.|The edited policy was not tried in time/;

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: STRICT, hasOwnThreads: true });
});
afterAll(() => world.ends());

const opens = (files: Record<string, string> = {}) =>
  world.opensPlanned(COST, { files: { "infra/main.tf": "#\n", ...files } });

it("a pull request whose edit of the policy never ends gets the base branch's verdict, and so do others, also after a restart", async () => {
  const hostile = await opens({ ".github/tollgate.yml": HOSTILE });
  expect(world.gate(hostile)).toBe("failure");
  expect(world.comment(hostile)).toContain("`monthly-increase`");
  expect(world.comment(hostile)).toMatch(OWN_RULES);
  expect(world.gate(await opens())).toBe("failure");
  await world.restarts();
  const second = await opens({ ".github/tollgate.yml": HOSTILE });
  expect(world.gate(second)).toBe("failure");
  expect(world.comment(second)).toMatch(OWN_RULES);
  expect(world.gate(await opens())).toBe("failure");
});
