import { expect, test } from "vitest";
import { addCodeOwners } from "../../src/evaluate/code-owners.ts";
import type { CurrentHead } from "../../src/evaluate/run/deps.ts";
import { performHere } from "../policy/perform-here.ts";
import { policy } from "../policy/policies.ts";

const OWNED = policy("rules: [{ id: r, limit: { deletions: 0 }, approve: { codeowners: true } }]");
const found = { state: "found", text: "* @ada", source: { path: "CODEOWNERS" } };

test.each([
  ["GitHub does not list all changed files", found, false, "files_unknown"],
  ["the file is too large", { state: "unreadable", reason: "too_large" }, true, "unreadable"],
  ["there is no file", { state: "absent" }, true, "no_owner"],
  ["the file names owners", found, true, undefined],
])("code owners where %s", async (_, codeOwners, pathsComplete, problem) => {
  const pull = { paths: ["a"], pathsComplete, baseRef: "main" };
  const head = { repository: { owner: "acme", name: "shop" }, pull, policy: { codeOwners } };
  const current = { head, key: { repositoryId: 1 }, deps: { policies: { inForce: performHere } } };
  const loaded = { state: "found", policy: OWNED, rulePlaces: [], sources: [] } as const;
  const own = await addCodeOwners(current as unknown as CurrentHead, { policy: loaded, checkName: "c" }); // what it reads of a head
  const rule = own.policy.state === "found" ? own.policy.policy.rules[0] : undefined;
  expect([rule?.codeOwners?.kind, rule?.approve === null]).toEqual([problem, problem !== undefined]);
});
