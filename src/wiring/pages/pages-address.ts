import type { PullAddress } from "../../evaluate/run/deps.ts";
import type { ExecutionRef } from "../../kernel/ids.ts";
import type { Settings } from "../../settings/read.ts";
import { formatExecutionPath, formatPullPath } from "../../web/page/address.ts";

const LOOPBACK = /^http:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:|\/|$)/;

/** Whether sign-in may be served at an address: cookies must not cross a network in clear. */
export const isSignInAddress = (publicUrl: string): boolean =>
  publicUrl.startsWith("https:") || LOOPBACK.test(publicUrl);

/** Returns what builds the addresses of our own pages; empty: nobody can sign in to see them. A platform elsewhere has pages of its executions. */
export function buildPageAddresses(settings: Pick<Settings, "signIn" | "publicUrl" | "platform">) {
  const { signIn, publicUrl, platform } = settings;
  if (signIn === undefined || publicUrl === null || !isSignInAddress(publicUrl)) return {};
  return {
    buildPullPage: ({ repository, number }: PullAddress) => publicUrl + formatPullPath(repository, number),
    ...(platform.kind === "embedded" && {
      buildExecutionPage: (execution: ExecutionRef) => publicUrl + formatExecutionPath(execution),
    }),
  };
}
