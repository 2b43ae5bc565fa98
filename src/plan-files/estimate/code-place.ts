import { z } from "zod";

/** What turns paths of an estimate into paths from the repository's root on. */
export interface CodeRoots {
  /** The folder in which relative paths begin, from the repository's root on; absent: as the estimate says, else the root. */
  readonly projectRoot?: string | undefined;
  /** The root of the repository that a file is in, by its absolute path on the machine of the estimate; null: unknown. */
  readonly findRoot: (file: string) => string | null;
}

export const NO_ROOTS: CodeRoots = { findRoot: () => null };

/** The places that an estimate states for a resource, as it wrote them, the best one first. */
export interface StatedPlaces {
  readonly address: string;
  readonly places: readonly StatedPlace[];
}

const text = z.string().nullish();
const line = z.int().positive().nullish().catch(null);

/** As the estimate wrote it. */
export interface StatedPlace {
  readonly file: string | null;
  readonly line: number | null;
}

/**
 * `metadata` of a resource of 0.10: the calls of modules from the root to the resource itself. The resource's own file counts, or
 * the innermost call in the repository, where its module comes from elsewhere.
 */
export const ResourceMetadata = z
  .object({
    filename: text,
    startLine: line,
    calls: z.array(z.object({ filename: text, startLine: line })).nullish(),
  })
  .nullish()
  .catch(null)
  .transform((stated): readonly StatedPlace[] =>
    [...(stated?.calls ?? []), ...(stated == null ? [] : [stated])]
      .toReversed()
      .map(({ filename, startLine }) => ({ file: filename ?? null, line: startLine ?? null })),
  );

/** Returns a path from the repository's root on; null: it leads out of the repository, or to a copy of a module from elsewhere. */
export function toRepositoryPath(path: string, { projectRoot = "", findRoot }: CodeRoots): string | null {
  const rest = isAbsolute(path) ? cutRoot(toSlashes(path), findRoot(path)) : `${projectRoot}/${path}`;
  const segments = rest === null || URL_START.test(path) ? null : resolveSegments(rest);
  if (segments === null || segments.some((segment) => CACHES.has(segment))) return null;
  const found = segments.join("/");
  return found.length > MAX_PATH || CONTROLS.test(found) ? null : found;
}

/** Folders into which Terraform and Infracost copy modules. */
const CACHES: ReadonlySet<string> = new Set([".terraform", ".infracost", ".terragrunt-cache", ".git"]);
/** In characters. */
const MAX_PATH = 1_000;
const CONTROLS = /\p{Cc}/u;
const URL_START = /^[a-z][a-z\d+.-]+:\/\//i;

const toSlashes = (path: string): string => path.replaceAll("\\", "/");

/** On Linux or Windows. */
export const isAbsolute = (path: string): boolean => /^([a-z]:)?\//i.test(toSlashes(path));

function cutRoot(path: string, root: string | null): string | null {
  const start = root && `${toSlashes(root).replace(/\/+$/, "")}/`;
  return start && path.startsWith(start) ? path.slice(start.length) : null;
}

/** Null: it leads above its start. */
export function resolveSegments(path: string): readonly string[] | null {
  const segments: string[] = [];
  for (const segment of toSlashes(path).split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return null;
    } else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}
