import { expect, test } from "vitest";
import { problems } from "./policies.ts";

const rule = (rest: string) => `version: 1\nrules: [{ id: r, limit: { increase: 5 USD }, ${rest} }]`;
const waiver = (rest: string) =>
  `${rule("enforce: block")}\nwaivers: [{ rule: r, up_to: 5 USD, until: 2027-03-31, reason: x, owner: o, ${rest} }]`;

test.each([
  ["scope: { authors: [renovate] }", rule, 'expected the login of an account; the App is "renovate[bot]"'],
  ["scope: { not: { authors: [Dependabot] } }", rule, 'the App is "dependabot[bot]"'],
  ["scope: { authors: [github-actions] }", waiver, 'the App is "github-actions[bot]"'],
  ["scope: { not: { authors: ['renovate[bot]', alice] } }", rule, ""],
  ["approve: { users: ['renovate[bot]'] }", rule, "the login of a person: an App approves nothing"],
  ["approve: { users: [alice, renovate] }", rule, "the login of a person: an App approves nothing"],
  ["approve: { all: [{ users: ['ci[bot]'] }] }", rule, "the login of a person: an App approves nothing"],
  ["approve: { users: [alice] }", rule, ""],
])("%s is refused where it could never act: %#", (text, file, message) => {
  const found = problems(file(text));
  expect(message === "" ? found : found.includes(message) || found).toBe(message === "" ? "" : true);
});

test("an App cannot be named to override a check", () => {
  const found = problems('version: 1\noverride: { users: ["renovate[bot]"] }');
  expect(found).toContain('override.users[0]: found "renovate[bot]", expected the login of a person');
});

test.each([
  ['pull.author == "renovate"', '"renovate" is no author here: the App is "renovate[bot]"'],
  ['pull.author in ["alice", "dependabot"]', '"dependabot" is no author here: the App is "dependabot[bot]"'],
  ['pull.author != "Alice"', '"Alice" is no author here: logins are in lower case'],
  ['pull.author == "renovate[bot]" || pull.author == "alice"', ""],
])("the condition %s never compares an author with what is none", (when, message) => {
  const found = problems(`version: 1\nrules: [{ id: r, when: '${when}' }]`);
  expect(message === "" ? found : found.includes(message) || found).toBe(message === "" ? "" : true);
});
