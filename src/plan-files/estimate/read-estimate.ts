import { PARSE_OPTIONS } from "../../kernel/parse-options.ts";
import type { CodePlace } from "../../platform/contract/cost-changes.ts";
import { guessObjectKind } from "../text/decode.ts";
import { createNotRecognisedError, parseExactly, readDocument } from "../text/json-document.ts";
import {
  type CodeRoots,
  isAbsolute,
  NO_ROOTS,
  resolveSegments,
  type StatedPlace,
  toRepositoryPath,
} from "./code-place.ts";
import { compareWithBase } from "./compare-with-base.ts";
import type { EstimateFile } from "./estimate.ts";
import { buildEstimateFile } from "./estimate-file.ts";
import { EstimateDocument, type EstimateParts, type Project } from "./estimate-parts.ts";
import { ScanDocument } from "./scan.ts";

interface EstimateInput {
  /** Name of the file in messages. */
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface EstimateSource extends EstimateInput {
  /** The estimate of the state before; absent: the file compares, or nothing is known of the state before. */
  readonly base?: EstimateInput;
  /** Stage name for a project without a name. */
  readonly fallback: string;
  /** Absent: places in the code are not wanted. */
  readonly roots?: CodeRoots | undefined;
}

const EXPECTED_INPUT =
  "an Infracost estimate as JSON: `infracost diff --compare-to` of 0.10 with `--format json`, or `infracost scan --json` of 2 with one of the base";

/**
 * Reads an Infracost JSON: of 0.10 (version 0.2, including the forms of older releases), or a scan of
 * Infracost 2; with a base, as the change from there. Throws `file_not_recognised`, with the probable kind of
 * the file, when it is none, and `usage` when the two cannot be compared.
 */
export async function readEstimate(source: EstimateSource): Promise<EstimateFile> {
  const { parts, notes } = await readParts(source);
  const base = source.base && (await readParts(source.base));
  const { head, projects: stated } = base === undefined ? parts : compareWithBase(parts, base.parts);
  const projects = stated.map((project) => locateProject(project, source.roots ?? NO_ROOTS));
  return { ...buildEstimateFile(head, projects, source.fallback), notes: [...notes, ...(base?.notes ?? [])] };
}

async function readParts({
  file,
  bytes,
}: EstimateInput): Promise<{ readonly parts: EstimateParts; readonly notes: readonly string[] }> {
  const expected = { file, expected: EXPECTED_INPUT };
  const { members, notes } = await readDocument(bytes, expected, parseExactly);
  const keys = new Set(Object.keys(members));
  const isScan = keys.has("currency") && !hasTotals(keys);
  if (!keys.has("projects") || (!isScan && !hasTotals(keys)))
    throw createNotRecognisedError(expected, describeWrongFile(keys));
  const result = (isScan ? ScanDocument : EstimateDocument).safeParse(members, PARSE_OPTIONS);
  if (!result.success) {
    const [issue] = result.error.issues;
    const problem = issue?.message ?? "it does not fit";
    throw createNotRecognisedError(
      expected,
      `has something unexpected in ${(issue?.path ?? []).map(String).join(".")}: ${problem}`,
    );
  }
  const { projects, ...head } = result.data;
  return { parts: { file, isScan, head, projects }, notes };
}

/** What a scan of Infracost 2 does not have. */
const hasTotals = (keys: ReadonlySet<string>): boolean =>
  keys.has("totalMonthlyCost") || keys.has("totalHourlyCost");

function describeWrongFile(keys: ReadonlySet<string>): string {
  const seems = guessObjectKind(keys);
  return seems === null ? "is JSON, but not what Infracost writes" : `seems to be ${seems}`;
}

/** Sets the places of a project's resources and of what the estimator's policies say; those outside of the repository are dropped. */
function locateProject(project: Project, roots: CodeRoots): Project {
  const projectRoot = roots.projectRoot ?? deriveProjectRoot(project.metadata);
  const locate = ({ file, line }: StatedPlace): CodePlace | null => {
    const path = file ? toRepositoryPath(file, { ...roots, projectRoot }) : null;
    return path === null || !line ? null : { file: path, line };
  };
  const located = (project.breakdown?.stated ?? []).flatMap(({ address, places }) => {
    const [place] = places.flatMap((one) => locate(one) ?? []);
    return place === undefined ? [] : [[address, place] as const];
  });
  return {
    ...project,
    places: new Map(located),
    ...(project.findings && {
      findings: project.findings.map((one) => ({ ...one, ...(locate(one) ?? { file: null, line: null }) })),
    }),
  };
}

/** 0.10 states where the project is in the repository, and the path by which it was asked for it, with which its own paths begin. */
function deriveProjectRoot(metadata: Project["metadata"]): string {
  const { path, vcsSubPath } = metadata ?? {};
  const [own, whole] = [resolveSegments(path ?? ""), resolveSegments(vcsSubPath ?? "")];
  if (!path || isAbsolute(path) || own === null || whole === null) return "";
  const start = whole.length - own.length;
  return own.every((segment, at) => segment === whole[start + at]) ? whole.slice(0, start).join("/") : "";
}
