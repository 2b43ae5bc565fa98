import { core } from "./0001-core.ts";
import { tokens } from "./0002-tokens.ts";
import { approvals } from "./0008-approvals.ts";
import { lifecycle } from "./0009-lifecycle.ts";
import { afterMerge } from "./0010-after-merge.ts";
import { projectOwners } from "./0013-project-owners.ts";
import { changedComments } from "./0017-changed-comments.ts";
import { approvalRequests } from "./0018-approval-requests.ts";
import { commentProblems } from "./0019-comment-problems.ts";
import { costColumns } from "./0020-cost-columns.ts";
import { approvers } from "./0021-approvers.ts";
import { tokenDetails } from "./0022-token-details.ts";
import { history } from "./0023-history.ts";
import { signIn } from "./0024-sign-in.ts";
import { notifications } from "./0025-notifications.ts";
import { overrides } from "./0026-overrides.ts";
import { replicas } from "./0027-replicas.ts";
import { indexes } from "./0029-indexes.ts";
import { bindingPosters } from "./0030-binding-posters.ts";
import { sharedValues } from "./0031-shared-values.ts";
import { checkTurns } from "./0032-check-turns.ts";
import { processes } from "./0033-processes.ts";
import { unansweredRequests } from "./0034-unanswered-requests.ts";
import { commentRuns } from "./0035-comment-runs.ts";
import { checkBases } from "./0036-check-bases.ts";
import type { MigrationList } from "./migration-list.ts";

/**
 * The bot's own migrations. They are part of the code, so that sources, builds and tests use the same list.
 * The areas of the embedded platform continue the same numbers.
 */
export const botMigrations: MigrationList = {
  "0001-core": core,
  "0002-platform": tokens,
  "0008-approvals": approvals,
  "0009-lifecycle": lifecycle,
  "0010-after-merge": afterMerge,
  "0013-project-owners": projectOwners,
  "0017-changed-comments": changedComments,
  "0018-approval-requests": approvalRequests,
  "0019-comment-problems": commentProblems,
  "0020-cost-columns": costColumns,
  "0021-approvers": approvers,
  "0022-token-details": tokenDetails,
  "0023-history": history,
  "0024-sign-in": signIn,
  "0025-notifications": notifications,
  "0026-overrides": overrides,
  "0027-replicas": replicas,
  "0029-indexes": indexes,
  "0030-binding-posters": bindingPosters,
  "0031-shared-values": sharedValues,
  "0032-check-turns": checkTurns,
  "0033-processes": processes,
  "0034-unanswered-requests": unansweredRequests,
  "0035-comment-runs": commentRuns,
  "0036-check-bases": checkBases,
};
