import { expect, onTestFinished, test } from "vitest";
import { createWorld, type WorldOptions } from "../../world/world.ts";

const opens = async (options: WorldOptions = {}) => {
  const world = await createWorld(options);
  onTestFinished(() => world.ends());
  return world;
};

test("a person who signs in with GitHub sees the repositories that GitHub lets them read", async () => {
  const world = await opens();
  const ada = await world.signsIn("ada");
  const home = await ada.opens("/");
  expect(home.status).toBe(200);
  expect(await home.text()).toContain("shop");
});

test("a person whom GitHub lets read nothing signs in and sees nothing", async () => {
  const world = await opens();
  const eve = await world.signsIn("eve", "stranger");
  const home = await eve.opens("/");
  expect(home.status).toBe(200);
  expect(await home.text()).not.toContain("shop");
});

test("who is not signed in is asked to sign in and comes back to the page", async () => {
  const world = await opens();
  world.github.addMember({ organisation: "acme", login: "ada" });
  const ada = world.visits();
  const sent = await ada.opens("/r/acme/shop?x=1");
  expect(sent.headers.get("location")).toBe("/sign-in?return_to=%2Fr%2Facme%2Fshop%3Fx%3D1");
  const back = await ada.signsIn("ada", "/r/acme/shop?x=1");
  expect(back.headers.get("location")).toBe(`${world.settings.publicUrl}/r/acme/shop?x=1`);
});
