import { afterAll, beforeAll, expect, test } from "vitest";
import { EXPENSIVE } from "../world/costs.ts";
import { REPOSITORY } from "../world/places.ts";
import { createWorld, type World } from "../world/world.ts";

const POLICY = "version: 1\nrules:\n  - { id: monthly-increase, limit: { increase: 100 USD } }\n";

let world: World;
beforeAll(async () => {
  world = await createWorld({ policy: POLICY });
});
afterAll(() => world.ends());

/** A blocked pull request, and the path of the page to which its check leads. */
async function blockedPull() {
  const pull = world.opensPullRequest({ title: "Double the database" });
  await world.ci.runs({ sha: pull.headSha, cost: EXPENSIVE });
  await world.settles();
  return { pull, path: new URL(world.checkOf(pull).detailsUrl ?? "").pathname };
}

test("Details of the check leads its readers to the page of the pull request, in the comment's words", async () => {
  const { pull, path } = await blockedPull();
  expect(path).toBe(`/r/${REPOSITORY}/pull/${pull.number}`);
  const html = await (await world.signsIn("ada")).reads(path);
  expect(html).toContain("<bdi>Double the database</bdi>");
  const { title } = world.checkOf(pull).output;
  expect(html).toContain(`<span>${title?.replaceAll("\u2060", "")}</span>`);
});

test("the comment links the page, whose older evaluations keep their addresses", async () => {
  const { pull, path } = await blockedPull();
  const [comment] = world.github.comments(pull);
  expect(comment?.body).toContain(`[All details](${world.settings.publicUrl}${path})`);
  world.github.push({ repository: REPOSITORY, branch: pull.headRef, files: { "infra/main.tf": "#2\n" } });
  await world.ci.runs({ sha: world.github.pullRequest(pull).headSha });
  await world.settles();
  const ada = await world.signsIn("ada");
  const html = await ada.reads(`${path}?view=history`);
  const [older] = html.match(/\/r\/[^"]*\/evaluations\/\d+/) ?? [];
  expect(await ada.reads(older ?? "")).toContain("This is an earlier evaluation");
});

test("who cannot read the repository sees the page of what does not exist; who is signed out signs in and comes back", async () => {
  const { path } = await blockedPull();
  const eve = await world.signsIn("eve", "stranger");
  const answers = await Promise.all([eve.opens(path), eve.opens(`/r/${REPOSITORY}/pull/999`)]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  const [hidden, missing] = await Promise.all(answers.map((answer) => answer.text()));
  expect(hidden).toBe(missing);
  const answer = await fetch(world.settings.publicUrl + path, { redirect: "manual" });
  expect(answer.headers.get("location")).toBe(`/sign-in?return_to=${encodeURIComponent(path)}`);
});
