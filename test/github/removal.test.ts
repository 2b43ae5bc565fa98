import { expect, it } from "vitest";
import type { InstallationClient } from "../../src/github/client/installation-client.ts";
import { wasRemoved } from "../../src/github/head/removal.ts";

const repository = { id: 77, owner: "acme", ownerId: 6, name: "shop" };
const FILE = { mode: 33188 };
const REMOVAL = { file: null, parents: { nodes: [{ file: FILE }] } };
const tip = (file: object | null, ...nodes: object[]) => ({ target: { file, history: { nodes } } });
const home = (ref: object | null, but: object = {}) => ({
  repository: { databaseId: 77, owner: { databaseId: 6 }, ref, ...but },
});

type Answered = { readonly data: object; readonly errors?: readonly object[] } | "nothing";

/** A GitHub that gives this answer to the question, read by the question's own schema. */
const answering = (answered: Answered) =>
  ({
    query: async ({ answer }: { answer: { parse(data: unknown): unknown } }) =>
      answered === "nothing"
        ? { ok: false, failure: { kind: "unavailable" } }
        : { ok: true, value: { data: answer.parse(answered.data), errors: answered.errors ?? [] } },
  }) as unknown as InstallationClient; // nothing else of it is used

const ask = (answered: Answered, which: "repository" | "organisation" = "repository") =>
  wasRemoved(answering(answered), { repository, baseRef: "main", which });

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
])("is none: %s", async (_, answered) => {
  expect(await ask(answered)).toBe(false);
});
