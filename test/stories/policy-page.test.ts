import { expect, onTestFinished, test } from "vitest";
import { createWorld } from "../world/world.ts";

const POLICY = "version: 1\nrules:\n  - id: monthly-increase\n    limit: { increase: 500 USD }\n";
const PAGE = "/r/acme/shop/policy";

test("a person tries a policy, and nobody does so without a form of their session", async () => {
  const world = await createWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  const pull = await world.opensPlanned();
  await world.settles();
  const ada = await world.signsIn("ada");
  expect(await ada.reads(PAGE)).toContain("limit: { increase: 500 USD }");

  const policy = POLICY.replace("500", "0.01");
  const form = { policy, form_token: await ada.findFormToken(PAGE) };
  const tried = await ada.opens(PAGE, { method: "POST", form });
  expect(await tried.text()).toContain(
    "Of the last 1 pull request, <strong>1 would have another outcome</strong>",
  );
  expect(world.gate(pull)).toBe("success");

  expect((await ada.opens(PAGE, { method: "POST", form: { policy } })).status).toBe(403);
  const headers = { origin: "https://elsewhere.test" };
  expect((await ada.opens(PAGE, { method: "POST", form, headers })).status).toBe(403);
});

test("a stranger learns of no policy", async () => {
  const world = await createWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  const eve = await world.signsIn("eve", "stranger");
  const answers = await Promise.all([eve.opens(PAGE), eve.opens("/r/acme/nothing/policy")]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});
