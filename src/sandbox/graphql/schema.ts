import { buildASTSchema, type DocumentNode, type GraphQLSchema, Kind, parse, visit } from "graphql";
import { SDL } from "./sdl.ts";

/** The schema as it is executed. */
export const createSchema = (): GraphQLSchema => buildASTSchema(widened(parse(SDL)));

/**
 * GitHub declares database ids as Int and answers numbers above 2^31 all the same; graphql-js refuses to. So the ids are
 * executed as a scalar of their own that lets every number pass. Callers see no difference.
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
