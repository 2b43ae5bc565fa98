import { describe, expect, it } from "vitest";
import { RawCommit, RawOrganisation } from "../../src/github/head/head-schema.ts";
import { organisationWording, repositoryWording } from "../../src/github/head/wording-folder.ts";
import { BASE, commit, file, organisation } from "./heads.ts";

const HOME = { owner: "acme", name: "shop", ownerId: 9 };
const tree = (...entries: readonly object[]) => ({ mode: 0o040000, type: "tree", object: { entries } });
const entry = (name: string, members: object = {}) => ({ name, ...file(), ...members });

const ofRepository = (wording: unknown) =>
  repositoryWording(RawCommit.parse(commit(BASE, null, { wording })), HOME);
const ofOrganisation = (wording: unknown, members: Record<string, unknown> = {}) => {
  const target = { oid: "c".repeat(40), policy: null, wording };
  const answer = organisation(null, { defaultBranchRef: { name: "main", target }, ...members });
  return organisationWording(RawOrganisation.parse(answer), HOME);
};

describe("the folder of custom words", () => {
  it("is read with its files, and files that are no text say why", () => {
    const found = ofRepository(
      tree(
        entry("next-step.hbs"),
        entry("a.hbs", { mode: 0o120000 }),
        entry("b.hbs", { type: "tree", object: { oid: "d" } }),
        entry("c.hbs", { type: "commit", object: null }),
        entry("d.hbs", file({}, { isBinary: true, text: null })),
        entry("e.hbs", file({}, { isTruncated: true })),
        entry("f.hbs", { object: null }),
      ),
    );
    expect(found).toMatchObject({ state: "found", label: "acme/shop:.github/tollgate" });
    expect(
      found?.state === "found" &&
        found.files.map(({ name, content }) => [
          name,
          content.state === "text" ? content.text : content.reason,
        ]),
    ).toEqual([
      ["next-step.hbs", "version: 1\n"],
      ["a.hbs", "symlink"],
      ["b.hbs", "directory"],
      ["c.hbs", "submodule"],
      ["d.hbs", "binary"],
      ["e.hbs", "too_large"],
      ["f.hbs", "malformed"],
    ]);
  });

  it("may be missing, be something else, or be too large to be asked for", () => {
    expect(repositoryWording(null, HOME)).toBeNull();
    expect(ofRepository(null)).toBeNull();
    expect(ofRepository({ mode: 0o100644, type: "blob", object: {} })).toBeNull();
    expect(ofRepository({ mode: 0o120000, type: "blob", object: {} })).toMatchObject({ reason: "symlink" });
    expect(ofRepository({ mode: 0o160000, type: "commit", object: null })).toMatchObject({
      reason: "submodule",
    });
    expect(ofRepository({ mode: 0o040000, type: "tree", object: null })).toMatchObject({
      reason: "malformed",
    });
    expect(ofRepository(undefined)).toMatchObject({ reason: "too_large" });
  });

  it("is the organisation's only where its own .github repository answered", () => {
    expect(ofOrganisation(tree(entry("next-step.hbs")))).toMatchObject({
      state: "found",
      label: "acme/.github:tollgate",
    });
    expect(ofOrganisation(tree(), { owner: { login: "other", databaseId: 8 } })).toBeNull();
    expect(ofOrganisation(tree(), { name: "renamed" })).toBeNull();
    expect(ofOrganisation(tree(), { defaultBranchRef: null })).toBeNull();
    expect(organisationWording(null, HOME)).toBeNull();
    expect(organisationWording(undefined, HOME)).toBeNull();
  });
});
