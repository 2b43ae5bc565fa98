import { readFileSync } from "node:fs";
import { buildASTSchema, type DocumentNode, type GraphQLSchema, Kind, parse, visit } from "graphql";
import { getShippedFile } from "../../src/package/shipped-files.ts";

/** The part of GitHub's schema that Tollgate's queries select, made by `npm run generate:graphql`. */
export const SCHEMA_FILE = getShippedFile("sandbox/graphql/github.graphql");

/** Creates the executable schema. */
export const createSchema = (): GraphQLSchema =>
  buildASTSchema(widenIds(parse(readFileSync(SCHEMA_FILE, "utf8"))));

/**
 * GitHub declares database ids as Int but returns numbers above 2^31; graphql-js refuses them. So the ids are executed as a
 * separate scalar that accepts every number. Callers see no difference.
 */
function widenIds(document: DocumentNode): DocumentNode {
  const ids = visit(document, {
    FieldDefinition: (node) =>
      node.name.value === "databaseId"
        ? { ...node, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: "WideInt" } } }
        : undefined,
  });
  return { ...ids, definitions: [...ids.definitions, ...parse("scalar WideInt").definitions] };
}
