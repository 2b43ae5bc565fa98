import type { JobDeps } from "../../evaluate/run/deps.ts";
import type { Settings } from "../../settings/read.ts";
import { formatPullPath } from "../../web/page/address.ts";

const LOOPBACK = /^http:\/\/(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:|\/|$)/;

/** Whether sign-in may be served at an address: cookies must not cross a network in clear. */
export const isSignInAddress = (publicUrl: string): boolean =>
  publicUrl.startsWith("https:") || LOOPBACK.test(publicUrl);

/** Returns what builds the addresses of pull requests' pages; empty: nobody can sign in to see them. */
export function buildPageAddresses({
  signIn,
  publicUrl,
}: Pick<Settings, "signIn" | "publicUrl">): Pick<JobDeps, "buildPullPage"> {
  if (signIn === undefined || publicUrl === null || !isSignInAddress(publicUrl)) return {};
  return { buildPullPage: ({ repository, number }) => publicUrl + formatPullPath(repository, number) };
}
