import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { SCHEMA_FILE } from "../../src/sandbox/graphql/schema.ts";
import { SENT_QUERIES } from "../github/sent-queries.ts";
import { githubSchema } from "./github-schema.ts";
import { reducedSchema } from "./reduced-schema.ts";

const written = readFileSync(SCHEMA_FILE, "utf8");

test("the sandbox's schema is the part of GitHub's that is queried", () => {
  expect(written, "run `npm run generate:graphql`").toBe(githubSchema());
});

test.each(Object.entries(SENT_QUERIES))("the sandbox understands the query of %s", (_name, query) => {
  expect(validate(buildSchema(written), parse(query))).toEqual([]);
});

test("a reduced schema contains what is selected and what an interface promises, and nothing else", () => {
  const whole = `
    "Words." interface Actor { login: String! avatar(size: Int): String }
    type Bot implements Actor { login: String! avatar(size: Int): String kind: Kind! }
    type User implements Actor { login: String! avatar(size: Int): String }
    type Mannequin implements Actor { login: String! avatar(size: Int): String }
    enum Kind { A B }
    enum Other { C }
    input Filter { needed: Kind! wanted: Int unused: Other }
    type Query { actor(filter: Filter, other: Other): Actor @deprecated(reason: "x") other: Other }`;
  const query =
    "query($n: Int) { actor(filter: { wanted: $n }) { login ...One } } fragment One on Bot { kind }";
  expect(reducedSchema(whole, [query], ["Actor:User"])).toMatchInlineSnapshot(`
    "interface Actor {
      login: String!
    }

    type Bot implements Actor {
      login: String!
      kind: Kind!
    }

    type User implements Actor {
      login: String!
    }

    enum Kind {
      A
      B
    }

    input Filter {
      needed: Kind!
      wanted: Int
    }

    type Query {
      actor(filter: Filter): Actor
    }
    "
  `);
});
