import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Made by `npm run generate` with the pinned version of PGlite. */
const IMAGE = join(import.meta.dirname, "empty-database.tar.gz");

/**
 * A freshly initialised database with all tables, empty, as a gzipped tar. Starting from it takes a second less, and half a gigabyte
 * of memory less, than initialising one.
 */
export const emptyDatabase = (): Buffer<ArrayBuffer> => readFileSync(IMAGE);
