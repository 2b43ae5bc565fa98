import { expect, it, onTestFinished } from "vitest";
import { createSimulatedWorld } from "../simulation/simulated-world.ts";
import { evaluatePull, joins } from "../world/conversation.ts";

it("whoever is not in a team that does not exist is told which one", async () => {
  const rule = "{ id: cost, limit: { increase: 100 USD }, approve: { teams: [finops, finpos] } }";
  const policy = `version: 1\nrules:\n  - ${rule}\noverride: { teams: [secruity], users: [olga] }\n`;
  const world = await createSimulatedWorld({ policy });
  onTestFinished(() => world.ends());
  joins(world);
  const conversation = await evaluatePull(world);
  await conversation.signs("ivan", "up to 600 USD fine");
  await world.timePasses(1_100);
  await conversation.says("ivan", `/tollgate override ${conversation.pull.headSha} it is urgent`);
  const [approval, override] = conversation.answers();
  expect(approval).toContain("and the team `acme/finpos`, which does not exist. Correct its slug there.");
  expect(override).toContain("and the team `acme/secruity`, which does not exist. Correct its slug there.");
});
