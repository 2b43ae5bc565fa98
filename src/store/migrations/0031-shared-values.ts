import { createSqlMigration } from "./migration-list.ts";

/** What any process read of an installation, for the others: its encrypted access token, and which repositories it covers. */
export const sharedValues = createSqlMigration([
  `alter table shared_installations
    add column token text,
    add column token_at timestamptz,
    add column coverage text,
    add column coverage_at timestamptz`,
]);
