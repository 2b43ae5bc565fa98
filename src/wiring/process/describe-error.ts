/** So many causes are followed. */
const MAX_CAUSES = 3;
/** What an error may say of itself beside its message: words that we or the queue chose, and codes. */
const TELLING_MEMBERS = ["code", "hint", "queue", "worker"] as const;

/**
 * An error, or what a library throws in its place, without the members that libraries hang on it: they hold requests, queries and
 * parameters.
 */
export const describeError = (error: unknown): unknown => describe(error, MAX_CAUSES);

function describe(error: unknown, causes: number): unknown {
  if (typeof error !== "object" || error === null) return error;
  const { name, message, stack, cause, errors, ...members } = membersOf(error);
  if (typeof message !== "string")
    return { type: typeOf(error), members: Object.keys(members), message: "not an error" };
  const telling = TELLING_MEMBERS.filter((member) => typeof members[member] === "string");
  const follows = causes > 0;
  return {
    type: typeof name === "string" ? name : typeOf(error),
    message,
    ...Object.fromEntries(telling.map((member) => [member, members[member]])),
    stack,
    ...(follows && cause !== undefined && { cause: describe(cause, causes - 1) }),
    // What a failed connection is thrown as has no message of its own.
    ...(follows && Array.isArray(errors) && { errors: errors.map((one) => describe(one, 0)) }),
  };
}

/** Name, message and stack of an error are not its own enumerable members. */
function membersOf(error: object): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { ...error };
  const { name, message, stack, cause } = error;
  const errors = error instanceof AggregateError ? error.errors : undefined;
  return { ...error, name, message, stack, cause, errors };
}

const typeOf = (value: object): string => value.constructor?.name ?? "object";
