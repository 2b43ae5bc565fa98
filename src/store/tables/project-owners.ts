import type { ProjectKey } from "./project-key.ts";

/** Which repository owns a project that has the repository's name. */
export interface PlatformProjectOwnersTable extends ProjectKey {
  /** GitHub's id. */
  repository_id: number;
  created_ms: number;
}
