import { expect, onTestFinished, test } from "vitest";
import { createWorld } from "../../world/world.ts";

const POLICY = "version: 1\nrules:\n  - { id: increase, limit: { increase: 100 USD } }\n";

test("a page of a repository that GitHub does not let a person read answers like one that does not exist", async () => {
  const world = await createWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  const pull = await world.opensPlanned();
  const [ada, eve] = [await world.signsIn("ada"), await world.signsIn("eve", "stranger")];
  const hidden = [
    `/r/acme/shop/pull/${pull.number}`,
    "/r/acme/shop",
    "/r/acme/shop/policy",
    "/r/acme/shop/decisions",
    "/r/acme/shop/decisions?format=csv",
    "/o/acme",
    "/o/acme/decisions",
    "/operator",
  ];
  expect((await ada.opens(`/r/acme/shop/pull/${pull.number}`)).status).toBe(200);
  for (const path of hidden) {
    const answer = await eve.opens(path);
    const nowhere = await eve.opens(
      path.replace("acme", "nowhere").replace("/operator", "/operator/nowhere"),
    );
    expect([path, answer.status]).toEqual([path, 404]);
    const withoutToken = (text: string) => text.replaceAll(/name="form_token" value="[^"]*"/g, "");
    expect(withoutToken(await answer.text())).toBe(withoutToken(await nowhere.text()));
    expect([...answer.headers.keys()].sort()).toEqual([...nowhere.headers.keys()].sort());
  }
});

test("who is not signed in is answered the same for every path", async () => {
  const world = await createWorld({ policy: POLICY });
  onTestFinished(() => world.ends());
  const { number } = await world.opensPlanned();
  const nobody = world.visits();
  for (const path of [`/r/acme/shop/pull/${number}`, "/r/acme/shop/pull/999", "/o/nowhere", "/operator"]) {
    const answer = await nobody.opens(path);
    expect([answer.status, await answer.text()]).toEqual([302, ""]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
  }
});
