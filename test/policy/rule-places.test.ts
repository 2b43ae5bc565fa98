import { expect, it } from "vitest";
import { parsePolicy } from "../../src/policy/file/parse.ts";

const REPOSITORY = `version: 1
# what may be spent

rules:
  - id: increase
    limit: { increase: 500 USD }

  -
    limit: { deletions: 0 }
    id: deletions
  - { id: shared, limit: { changes: 3 } }
budgets:
  - id: team
    amount: 900 USD
`;
const ORGANISATION = `version: 1
rules:
  - { id: shared, limit: { changes: 9 } }
  - { id: own, limit: { total: 9000 USD } }
`;

it("each rule and budget in force has the file and the line where its entry begins", () => {
  const parsed = parsePolicy({
    repository: { file: "acme/shop:.github/tollgate.yml", text: REPOSITORY },
    organisation: { file: "acme/.github:tollgate.yml", text: ORGANISATION },
  });
  const places = parsed.state === "ok" ? parsed.rulePlaces : [];
  expect(Object.fromEntries(places.map(({ rule, file, line }) => [rule, `${file}:${line}`]))).toEqual({
    increase: "acme/shop:.github/tollgate.yml:5",
    deletions: "acme/shop:.github/tollgate.yml:9",
    shared: "acme/shop:.github/tollgate.yml:11",
    team: "acme/shop:.github/tollgate.yml:13",
    own: "acme/.github:tollgate.yml:4",
  });
});

it("a rule and a budget bring the addresses of their explanations", () => {
  const docs = 'docs: "https://wiki.example/costs"';
  const text = `version: 1\nrules: [{ id: a, limit: { drift: 0 }, ${docs} }]\nbudgets: [{ id: b, amount: 5 USD, ${docs} }]`;
  const parsed = parsePolicy({ repository: { file: "f", text }, organisation: null });
  const places = parsed.state === "ok" ? parsed.rulePlaces : [];
  expect(places.map((place) => place.docs)).toEqual([
    "https://wiki.example/costs",
    "https://wiki.example/costs",
  ]);
});

it("lines are counted as GitHub counts them, also where they end in two characters", () => {
  const text = REPOSITORY.replaceAll("\n", "\r\n");
  const parsed = parsePolicy({ repository: { file: "f", text }, organisation: null });
  const places = parsed.state === "ok" ? parsed.rulePlaces : [];
  expect(places.map(({ line }) => line)).toEqual([5, 9, 11, 13]);
});
