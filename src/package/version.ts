import manifest from "../../package.json" with { type: "json" };

/** Tollgate's version, from package.json; a build contains it. */
export const VERSION: string = manifest.version;
