import type { PullKey } from "../../kernel/ids.ts";
import { bigint, integer } from "./define-table.ts";

/** Columns that name a pull request. */
export const pullColumns = { repository_id: bigint(), number: integer() };

export const toPullColumns = ({ repositoryId, number }: PullKey) => ({ repository_id: repositoryId, number });
