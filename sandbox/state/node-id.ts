/** Prefixes of GitHub's global ids by type name in the GraphQL schema. */
const PREFIX = {
  User: "U",
  Organization: "O",
  Bot: "BOT",
  App: "A",
  Repository: "R",
  Ref: "REF",
  Commit: "C",
  Tree: "T",
  Blob: "B",
  PullRequest: "PR",
  IssueComment: "IC",
  PullRequestStack: "PRS",
  PullRequestReview: "PRR",
  Reaction: "REA",
  StatusContext: "SC",
  Status: "S",
  CheckSuite: "CS",
  CheckRun: "CR",
  Team: "T_kw",
  Label: "LA",
  Installation: "MDIz",
} as const;

export type NodeType = keyof typeof PREFIX;

/** Returns a global id in GitHub's form: a prefix and opaque text. */
export const buildNodeId = (type: NodeType, id: number | string): string =>
  `${PREFIX[type]}_${Buffer.from(`${type}:${id}`).toString("base64url")}`;

/** Returns the numeric id in a global id of that type, or null. */
export function parseNodeId(type: NodeType, text: string): number | null {
  const [, encoded = ""] = text.split(`${PREFIX[type]}_`);
  const match = /^(\w+):(\d+)$/.exec(Buffer.from(encoded, "base64url").toString());
  return match?.[1] === type ? Number(match[2]) : null;
}
