/** A JSON object of an answer. */
export type JsonObject = { readonly [key: string]: unknown };

/** Formats a time as GitHub does: in whole seconds of UTC. */
export const time = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
export const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));
