import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

/** A folder of a test file, which is gone after it. */
export interface Folder {
  readonly path: string;
  /** Leaves a file, an object as JSON, and returns its path. */
  file(name: string, content: object | string | Uint8Array): string;
}

/** Its path has a space, as paths of people have. */
export function createFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "tollgate cli "));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    file: (name, content) => {
      const place = join(path, name);
      mkdirSync(dirname(place), { recursive: true });
      const isText = typeof content === "string" || content instanceof Uint8Array;
      writeFileSync(place, isText ? content : JSON.stringify(content));
      return place;
    },
  };
}

/** The words of a command line as a shell splits them at spaces; a value in braces is one word, a list of values is several. */
export const words = (
  parts: TemplateStringsArray,
  ...values: readonly (string | readonly string[])[]
): string[] =>
  parts.flatMap((part, at) => [
    ...part.split(" ").filter((word) => word !== ""),
    ...[values[at] ?? []].flat(),
  ]);
