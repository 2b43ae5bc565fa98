/** A JSON object of an answer. */
export type JsonObject = { readonly [key: string]: unknown };

/** Formats a time as GitHub does: in whole seconds of UTC. */
export const formatTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
export const formatTimeOrNull = (at: number | null): string | null => (at === null ? null : formatTime(at));
