import type { ProjectKey } from "./project-key.ts";

/** Projects that are named as a repository is, and which repository that was. */
export interface PlatformProjectOwnersTable extends ProjectKey {
  /** GitHub's id. */
  repository_id: number;
  created_ms: number;
}
