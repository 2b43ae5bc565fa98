import { TollgateError } from "../../kernel/errors.ts";

/** The meaning of operating system errors for a data directory, and a hint for each. */
const REFUSALS: Readonly<Record<string, readonly [found: string, hint: string]>> = {
  ENOTDIR: ["it, or a part of its path, is a file, not a directory", "Set TOLLGATE_DATA to a directory."],
  ENOENT: ["it is a link that leads nowhere", "Set TOLLGATE_DATA to a directory."],
  EEXIST: ["it is a file, or a link that leads nowhere", "Set TOLLGATE_DATA to a directory."],
  ELOOP: ["it is a link that leads to itself", "Set TOLLGATE_DATA to a directory."],
  EACCES: [
    "this account may not read and write it",
    "Give the directory and all that is in it to the account that runs Tollgate.",
  ],
  EPERM: [
    "this account may not read and write it",
    "Give the directory and all that is in it to the account that runs Tollgate.",
  ],
  EROFS: [
    "its file system is read-only",
    "Mount it for writing, or copy the directory to where it can be written.",
  ],
  ENOSPC: ["its disk is full", "Free some space, and start again: nothing was changed."],
  EDQUOT: ["the disk quota is used up", "Free some space, and start again: nothing was changed."],
  EFBIG: ["files may not grow as large as a database needs", "Raise the limit of the file size (ulimit -f)."],
};

/**
 * Converts an operating system error to an error about the data directory; returns any other error unchanged.
 */
export function toDirectoryError(directory: string, cause: unknown): unknown {
  if (!isSystemError(cause)) return cause;
  const [found, hint] = REFUSALS[cause.code] ?? [
    `the operating system says ${cause.code}`,
    "Check the disk and at the directory's permissions, or set TOLLGATE_DATA to another directory.",
  ];
  return new TollgateError(
    "data_directory_unusable",
    `the data directory ${directory} cannot be used: ${found}`,
    { cause, hint },
  );
}

const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
