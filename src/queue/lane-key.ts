import type { PullKey } from "../kernel/ids.ts";

/** What a lane evaluates: one pull request or one merge group. */
export type LaneSubject =
  | ({ readonly kind: "pull" } & PullKey)
  | { readonly kind: "group"; readonly repositoryId: number; readonly headSha: string };

/** The lane's name in queue and store. It consists of numeric ids, so that renames do not matter. */
export function formatLaneKey(subject: LaneSubject): string {
  return subject.kind === "pull"
    ? `pull:${subject.repositoryId}:${subject.number}`
    : `group:${subject.repositoryId}:${subject.headSha}`;
}

export function parseLaneKey(key: string): LaneSubject | null {
  const pull = /^pull:(\d+):(\d+)$/.exec(key);
  if (pull) return { kind: "pull", repositoryId: Number(pull[1]), number: Number(pull[2]) };
  const group = /^group:(\d+):([0-9a-f]+)$/.exec(key);
  return group?.[2] ? { kind: "group", repositoryId: Number(group[1]), headSha: group[2] } : null;
}
