import { buildASTSchema, type DocumentNode, type GraphQLSchema, Kind, parse, visit } from "graphql";
import { SDL } from "./sdl.ts";

/** Creates the executable schema. */
export const createSchema = (): GraphQLSchema => buildASTSchema(widened(parse(SDL)));

/**
 * GitHub declares database ids as Int but returns numbers above 2^31; graphql-js refuses them. So the ids are executed as a
 * separate scalar that accepts every number. Callers see no difference.
 */
function widened(document: DocumentNode): DocumentNode {
  const ids = visit(document, {
    FieldDefinition: (node) =>
      node.name.value === "databaseId"
        ? { ...node, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: "WideInt" } } }
        : undefined,
  });
  return { ...ids, definitions: [...ids.definitions, ...parse("scalar WideInt").definitions] };
}
