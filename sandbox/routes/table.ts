import type { ApiRoute } from "../api/call.ts";
import { activityRoutes } from "./activity.ts";
import { appRoutes } from "./apps.ts";
import { branchRoutes } from "./branches.ts";
import { checkRunRoutes } from "./check-runs.ts";
import { checkSuiteRoutes } from "./check-suites.ts";
import { commentRoutes } from "./comments.ts";
import { bareCommitRoute, commitRoutes } from "./commits.ts";
import { contentRoutes } from "./contents.ts";
import { pullRoutes } from "./pulls.ts";
import { repositoryRoutes } from "./repositories.ts";
import { reviewerRoutes } from "./reviewers.ts";
import { stackRoutes } from "./stacks.ts";
import { userRoutes } from "./users.ts";

/** All REST routes of the sandbox. The first route that matches a path is used. */
export const routes: readonly ApiRoute[] = [
  ...appRoutes,
  ...userRoutes,
  ...repositoryRoutes,
  ...branchRoutes,
  ...contentRoutes,
  ...activityRoutes,
  ...pullRoutes,
  ...stackRoutes,
  ...reviewerRoutes,
  ...checkRunRoutes,
  ...checkSuiteRoutes,
  ...commitRoutes,
  bareCommitRoute,
  ...commentRoutes,
];
