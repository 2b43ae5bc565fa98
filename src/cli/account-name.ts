import { userInfo } from "node:os";

/** Returns the name of the account that executes this process, or its number: in a container it may have no name. */
export function readAccountName(read: () => { readonly username: string } = userInfo): string {
  try {
    return read().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
