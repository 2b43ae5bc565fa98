import { describe, expect, it } from "vitest";
import { policy, problems } from "./policies.ts";

const repository = (text: string) => `version: 1\n${text}`;

describe("who may override is what the files say", () => {
  it.each([
    ["nobody, where neither file says so", "rules: []", null, null],
    [
      "the repository's people, in any case of their logins",
      "override: { users: [Ada], teams: [oncall] }",
      "override: { users: [bob] }",
      { users: ["ada"], teams: ["oncall"], permission: null, allowAuthor: false },
    ],
    [
      "else the organisation's",
      "rules: []",
      "override: { permission: admin, allow_author: true, mandatory: true }",
      { users: [], teams: [], permission: "admin", allowAuthor: true },
    ],
    ["nobody, where the organisation forbids it", "rules: []", "override: { mandatory: true }", null],
  ])("%s", (_, own, organisation, expected) => {
    expect(policy(own, organisation).override).toEqual(expected);
  });
});

describe("a repository cannot choose who may override", () => {
  it.each([
    [
      "where the organisation decides it",
      "override: { mandatory: true }",
      "repo.yml:2:1 override: the organisation's file decides who may override; remove it",
    ],
    [
      "where the organisation has a mandatory rule, though it names others who may",
      "override: { users: [bob] }\nrules: [{ id: drift, limit: { drift: 0 }, mandatory: true }]",
      "repo.yml:2:1 override: the organisation's file has mandatory rules, so it decides who may override; remove it",
    ],
    [
      "where the organisation has a mandatory budget",
      "budgets: [{ id: all, amount: 5 USD, mandatory: true }]",
      "repo.yml:2:1 override: the organisation's file has mandatory rules, so it decides who may override; remove it",
    ],
  ])("%s", (_, organisation, expected) => {
    expect(problems(repository("override: { users: [ada] }"), repository(organisation))).toBe(expected);
  });

  it("nor make its choice mandatory", () => {
    expect(problems(repository("override: { users: [ada], mandatory: true }"))).toBe(
      "repo.yml:2:27 override.mandatory: is for the organisation's file only; remove it",
    );
  });
});

it.each([
  ["override: {}", "repo.yml:2:11 override: found an empty mapping, expected teams, users or permission"],
  ["override: none", 'repo.yml:2:11 override: found "none", expected a mapping of keys and values'],
  [
    "override: { users: [ada], count: 2 }",
    "repo.yml:2:27 override.count: is not a key here; expected one of teams, users, permission, allow_author, mandatory",
  ],
  [
    "request_reviewers: yes please",
    'repo.yml:2:20 request_reviewers: found "yes please", expected true or false',
  ],
])("a slip is reported in its place: %s", (text, expected) => {
  expect(problems(repository(text))).toBe(expected);
});

it("approvers are requested as reviewers where the repository, else the organisation, asks for it", () => {
  expect(policy("rules: []").requestReviewers).toBe(false);
  expect(policy("rules: []", "request_reviewers: true").requestReviewers).toBe(true);
  expect(policy("request_reviewers: false", "request_reviewers: true").requestReviewers).toBe(false);
});
