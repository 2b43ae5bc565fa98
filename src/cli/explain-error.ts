import { TollgateError } from "../kernel/errors.ts";

/** The messages that explain an error to a person. `usageHint`: the way out of wrong usage that has none of its own. */
export function explainError(error: unknown, usageHint?: string): readonly string[] {
  if (error instanceof TollgateError) {
    const hint = error.hint ?? (error.code === "usage" ? usageHint : undefined);
    return hint === undefined ? [error.message] : [error.message, hint];
  }
  // Messages of other errors may quote their input, so only the place is shown.
  const places =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const kind = error instanceof Error ? error.name : typeof error;
  return [
    `This is a fault of Tollgate itself (${kind}). Please report it with these lines:`,
    ...places.slice(0, 8),
  ];
}
