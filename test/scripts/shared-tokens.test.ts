import { expect, onTestFinished, test } from "vitest";
import { createSimulatedWorld } from "../simulation/simulated-world.ts";
import { CHEAP, STRICT } from "../world/costs.ts";

test("a restarted process requests no access token and no list of covered repositories, and a token that GitHub rejects is replaced for the next", async () => {
  const world = await createSimulatedWorld({ policy: STRICT });
  onTestFinished(() => world.ends());
  const opensPassing = async () => expect(world.gate(await world.opensPlanned(CHEAP))).toBe("success");
  const countRequests = () => [
    world.github.requests.count({ method: "POST", path: /\/access_tokens$/ }),
    world.github.requests.count({ method: "GET", path: /^\/app\/installations\/\d+$/ }),
  ];
  // A token that was requested while the installation was announced is not shared: the next process requests one that is.
  await world.timePasses(1_000);
  await world.restarts();
  await opensPassing();
  world.github.requests.clear();
  await world.restarts();
  await opensPassing();
  expect(countRequests()).toEqual([0, 0]);
  world.github.faults.add({ kind: "status", status: 401, match: { path: /graphql/ } });
  await opensPassing();
  const [requested] = countRequests();
  expect(requested).toBe(1);
  await world.restarts();
  await opensPassing();
  expect(countRequests()[0]).toBe(1);
});
