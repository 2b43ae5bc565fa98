import { expect, it } from "vitest";
import { isPolicyFileRemoved } from "../../src/github/head/policy-file.ts";
import { clientOn } from "./github.ts";

const repository = { id: 77, owner: "acme", ownerId: 6, name: "shop" };
const FILE = { mode: 33188 };
const REMOVAL = { file: null, parents: { nodes: [{ file: FILE }] } };
const tip = (file: object | null, ...nodes: object[]) => ({ target: { file, history: { nodes } } });
const home = (ref: object | null, but: object = {}) => ({
  repository: { databaseId: 77, owner: { databaseId: 6 }, ref, ...but },
});

type Answered = { readonly data: object; readonly errors?: readonly object[] } | "nothing";

const respond = (answered: Answered): Response =>
  answered === "nothing" ? Response.json({}, { status: 502 }) : Response.json(answered);

const ask = (answered: Answered, which: "repository" | "organisation" = "repository") =>
  isPolicyFileRemoved(
    clientOn(async () => respond(answered)),
    { repository, baseRef: "main", level: which },
  );

it("a commit whose parent has the file and that lacks it proves the removal", async () => {
  expect(await ask({ data: home(tip(null, REMOVAL)) })).toBe(true);
  const ofOrganisation = {
    repository: { ...home(null).repository, databaseId: 5, defaultBranchRef: tip(null, REMOVAL) },
  };
  expect(await ask({ data: ofOrganisation }, "organisation")).toBe(true);
});

it.each<[string, Answered]>([
  ["no answer", "nothing"],
  [
    "an answer in part",
    { data: home(tip(null, REMOVAL)), errors: [{ type: "FORBIDDEN", path: [], message: "" }] },
  ],
  ["no repository", { data: { repository: null } }],
  ["another repository of that name", { data: home(tip(null, REMOVAL), { databaseId: 78 }) }],
  ["another owner's", { data: home(tip(null, REMOVAL), { owner: { databaseId: 7 } }) }],
  ["no such branch", { data: home(null) }],
  ["a file that is there", { data: home(tip(FILE, REMOVAL)) }],
  ["a history without it", { data: home(tip(null)) }],
  ["a newest commit that has it", { data: home(tip(null, { ...REMOVAL, file: FILE })) }],
  [
    "a commit whose parents had it neither",
    { data: home(tip(null, { file: null, parents: { nodes: [{ file: null }] } })) },
  ],
])("does not count as a removal of the policy file: %s", async (_, answered) => {
  expect(await ask(answered)).toBe(false);
});
