import type { GitHubFailure } from "../../github/client/result.ts";
import type { TollgateError } from "../../kernel/errors.ts";
import type { DoctorContext } from "./context.ts";

/** One problem with its way out. */
export interface ProbeProblem {
  readonly found: string;
  readonly fix: string;
}

/** What a probe found. `skipped`: it needs something that is missing, which another probe reports. */
export type ProbeResult =
  | { readonly state: "ok"; readonly found: string }
  | {
      readonly state: "warning" | "failed";
      readonly problems: readonly [ProbeProblem, ...ProbeProblem[]];
    }
  | { readonly state: "skipped"; readonly reason: string };

export const AREAS = ["Settings", "Storage", "GitHub", "Platform", "Policies"] as const;

/** One line of the doctor. */
export interface Probe {
  /** Stable name in the JSON output. */
  readonly id: string;
  readonly area: (typeof AREAS)[number];
  readonly title: string;
  /** Reads, and changes nothing. */
  readonly examine: (context: DoctorContext) => Promise<ProbeResult>;
}

export const ok = (found: string): ProbeResult => ({ state: "ok", found });
export const skip = (reason: string): ProbeResult => ({ state: "skipped", reason });
export const fail = (found: string, fix: string): ProbeResult => ({
  state: "failed",
  problems: [{ found, fix }],
});
export const warn = (found: string, fix: string): ProbeResult => ({
  state: "warning",
  problems: [{ found, fix }],
});

/** The result for a list of problems; without any, `found` says what is all right. */
export function toResultOf(
  problems: readonly ProbeProblem[],
  found: string,
  state: "warning" | "failed" = "failed",
): ProbeResult {
  const [first, ...others] = problems;
  return first === undefined ? ok(found) : { state, problems: [first, ...others] };
}

/** A failed start's error as a result. */
export const failWith = ({ message, hint }: TollgateError): ProbeResult =>
  fail(message, hint ?? "The log says more.");

const FIXES: Partial<Readonly<Record<GitHubFailure["kind"], string>>> = {
  forbidden: "Accept the App's permissions on its page at GitHub; docs/permissions.md lists them.",
  not_found: "Install the App on it, or correct the name.",
  rate_limited: "Wait until GitHub's rate limit is over, and run the command again.",
  suspended: "Unsuspend the installation on its page at GitHub.",
  unavailable: "Check the network, proxy and GHE_HOST, and https://www.githubstatus.com for github.com.",
  timed_out: "Check the network, proxy and GHE_HOST, and https://www.githubstatus.com for github.com.",
};

/** What a failed call to GitHub means for an operator. */
export const explainGitHubFailure = (
  what: string,
  { kind, status, message }: GitHubFailure,
): ProbeProblem => ({
  found: `${what} cannot be read: ${status === null ? "" : `${status} `}${message || kind}`,
  fix: FIXES[kind] ?? "Run the command again; if it stays so, report it with this line.",
});

/** `1 repository`, `2 repositories`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
