import { type DocumentNode, type GraphQLError, type GraphQLSchema, parse, validate } from "graphql";
import { createSchema } from "./schema.ts";

type CheckedDocument = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

/** The schema, and the queries that were checked against it. Both are slow to make, and sandboxes can share them. */
export class GraphqlDocuments {
  readonly schema: GraphQLSchema = createSchema();
  readonly #checked = new Map<string, CheckedDocument>();

  /**
   * Returns the query's document, or why the schema has none such.
   *
   * @throws GraphQLError when the text is no GraphQL
   */
  read(query: string): CheckedDocument {
    const known = this.#checked.get(query);
    if (known !== undefined) return known;
    const document = parse(query);
    const errors = validate(this.schema, document);
    const checked = errors.length > 0 ? { errors } : { document };
    this.#checked.set(query, checked);
    return checked;
  }
}
