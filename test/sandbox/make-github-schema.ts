import { writeFileSync } from "node:fs";
import { SCHEMA_FILE } from "../../sandbox/graphql/execution.ts";
import { githubSchema } from "./github-schema.ts";

// `npm run generate:graphql`: needed again whenever a GraphQL query changes; a test says so.
writeFileSync(SCHEMA_FILE, githubSchema());
