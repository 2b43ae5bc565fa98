import { TollgateError } from "../kernel/errors.ts";

/** What a person is told of an error: one message for each entry. */
export function explainError(error: unknown): readonly string[] {
  if (error instanceof TollgateError) {
    return error.hint === undefined ? [error.message] : [error.message, error.hint];
  }
  // Messages of others may quote what they choked on, so only the place is shown.
  const places =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const kind = error instanceof Error ? error.name : typeof error;
  return [
    `This is a fault of Tollgate itself (${kind}). Please report it with these lines:`,
    ...places.slice(0, 8),
  ];
}
