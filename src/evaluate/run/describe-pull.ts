import type { Repository } from "../../store/repositories.ts";
import type { WorkFields } from "../../telemetry/telemetry.ts";

/** Names a pull request for log lines and spans. */
export const describePull = ({ owner_login: owner, name }: Repository, number: number): WorkFields => ({
  repository: `${owner}/${name}`,
  pull: number,
});
