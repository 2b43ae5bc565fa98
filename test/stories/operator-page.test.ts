import { expect, onTestFinished, test } from "vitest";
import { createWorld } from "../world/world.ts";

const POLICY = "version: 1\nrules:\n  - id: monthly-increase\n    limit: { increase: 500 USD }\n";

test("an admin sees the deliveries of the day and has a pull request evaluated again; another member sees nothing", async () => {
  const world = await createWorld({
    policy: POLICY,
    operator: () => ({ admins: { teams: ["acme/platform"] } }),
  });
  onTestFinished(() => world.ends());
  world.github.createTeam({ organisation: "acme", slug: "platform", members: ["ada"] });
  const pull = await world.opensPlanned();
  await world.settles();
  const ada = await world.signsIn("ada");
  const html = await ada.reads("/operator");
  expect(html).toContain(`href="/r/acme/shop/pull/${pull.number}"`);
  expect(html).toContain("done");

  const form = { pull: `acme/shop#${pull.number}`, form_token: await ada.findFormToken("/operator") };
  const asked = await ada.opens("/operator/evaluate", { method: "POST", form });
  expect(asked.headers.get("location")).toBe("/operator?done=evaluate");
  const installation = /<option value="(\d+)">acme<\/option>/.exec(html)?.[1] ?? "";
  const swept = await ada.opens("/operator/sweep", { method: "POST", form: { ...form, installation } });
  expect(swept.headers.get("location")).toBe("/operator?done=sweep");
  await world.settles();
  expect(world.gate(pull)).toBe("success");

  const { form_token: _, ...without } = form;
  expect((await ada.opens("/operator/evaluate", { method: "POST", form: without })).status).toBe(403);
  const grace = await world.signsIn("grace");
  expect((await grace.opens("/operator")).status).toBe(404);
});
