import { GraphqlDocuments } from "../../sandbox/graphql/execution.ts";

/** The schema and its queries are the same in every sandbox GitHub of a test process, and slower to read than most tests. */
export const DOCUMENTS = new GraphqlDocuments();
